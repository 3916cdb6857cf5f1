// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/files.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <climits>
#include <set>

namespace ado {
namespace {

using Names = std::vector<std::string>;

std::string joined(const Names& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

Names known_models() { return {model_names.begin(), model_names.end()}; }
Names known_kinds() { return {data_kind_names.begin(), data_kind_names.end()}; }
Names known_types() {
  Names names;
  for (const TypeInfo& type : type_table)
    names.emplace_back(type.name);
  return names;
}
Names known_algorithms() {
  Names names;
  for (const Algorithm& algorithm : algorithms())
    names.emplace_back(algorithm.name);
  return names;
}
Names known_variants() {
  std::set<std::string> names;
  for (const Variant& variant : variants())
    names.emplace(variant.name);
  return {names.begin(), names.end()};
}

void check_name(const std::string& name, const Names& known, const std::string& option) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(option + ": no '" + name + "'; there are: " + joined(known));
}

/// Empties a list that holds `all`; throws for a name that nobody knows.
void check_names(Names& names, const Names& known, const std::string& option) {
  if (std::find(names.begin(), names.end(), "all") != names.end()) names.clear();
  for (const std::string& name : names)
    check_name(name, known, option);
}

/// Files by array name, from ARRAY=FILE texts.
std::map<std::string, std::string> parse_files(const Names& texts, const std::string& option) {
  std::map<std::string, std::string> files;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      throw UsageError(option + " " + text + ": write ARRAY=FILE, for example " + option +
                       " a=a.npy");
    const auto [entry, is_new] = files.emplace(text.substr(0, equals), text.substr(equals + 1));
    if (!is_new)
      throw UsageError(option + " " + text + ": " + entry->first + " was already given as " +
                       entry->second);
  }
  return files;
}

/// Every file that is written must be another than all others that are named, and writable: found
/// now, not after the run.
void check_files(const Options& o) {
  std::vector<std::pair<std::string, std::string>> written, named; // option, file
  if (!o.json.empty() && o.json != "-") written.emplace_back("--json", o.json);
  for (const auto& [array, file] : o.outputs)
    written.emplace_back("--output " + array, file);
  for (const auto& [array, file] : o.inputs)
    named.emplace_back("--input " + array, file);
  for (const auto& [option, file] : written) {
    for (const auto& [other, other_file] : named)
      if (same_file(file, other_file))
        throw UsageError(option + ": " + file + " is also the file of " + other +
                         "; name another file");
    named.emplace_back(option, file);
    const OutputFile probe(file); // leaves nothing
  }
}

/// A whole number, the empty optional for any other text.
std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

/// From 1 to 4096; Kokkos and OpenMP would abort on what is no thread count.
int parse_threads(const std::string& text, const std::string& where) {
  const auto threads = whole_number(text);
  if (!threads || *threads == 0 || *threads > 4096)
    throw UsageError(where + ": the thread count must be a number from 1 to 4096");
  return static_cast<int>(*threads);
}

BackendSpec parse_backend(const std::string& text, const std::string& option) {
  const std::size_t colon = text.find(':');
  BackendSpec spec{text.substr(0, colon), 0};
  if (colon != std::string::npos)
    spec.threads = parse_threads(text.substr(colon + 1), option + " " + text);
  if (spec.name.empty())
    throw UsageError(option + " " + text + ": write a backend's name, such as openmp");
  return spec;
}

ReferenceSpec parse_reference(const std::string& text) {
  const std::size_t slash = text.find('/'), at = text.find('@');
  if (slash == std::string::npos || (at != std::string::npos && at < slash))
    throw UsageError("--reference " + text +
                     ": write MODEL/VARIANT[@BACKEND[:THREADS]], for example openmp/team@openmp:1");
  ReferenceSpec spec;
  spec.model = text.substr(0, slash);
  spec.variant = text.substr(slash + 1, at == std::string::npos ? at : at - slash - 1);
  if (at != std::string::npos) spec.backend = parse_backend(text.substr(at + 1), "--reference");
  check_name(spec.model, known_models(), "--reference, model");
  check_name(spec.variant, known_variants(), "--reference, variant");
  return spec;
}

/// Kokkos ends the process with a core dump where it dislikes a value, so the two that everybody
/// uses are checked here.
void check_kokkos_value(const std::string& argument) {
  if (argument == "--kokkos-num-threads" || argument == "--kokkos-device-id")
    throw UsageError(argument + ": a value is missing: write " + argument + "=N");
  const auto value_of = [&](std::string_view option) -> std::optional<std::string> {
    if (argument.rfind(option, 0) != 0) return std::nullopt;
    return argument.substr(option.size());
  };
  if (const auto threads = value_of("--kokkos-num-threads=")) parse_threads(*threads, argument);
  if (const auto id = value_of("--kokkos-device-id="); id && !whole_number(*id))
    throw UsageError(argument + ": the device id must be a number from 0 on");
}

/// Takes the --kokkos-* arguments out of the command line. `--kokkos-device-id 0` would abort in
/// Kokkos with a core dump, so a value that stands apart is refused here.
Names take_kokkos_arguments(Names& arguments) {
  Names taken;
  for (auto it = arguments.begin(); it != arguments.end();) {
    if (it->rfind("--kokkos-", 0) != 0) {
      ++it;
      continue;
    }
    const bool value_apart = it->find('=') == std::string::npos && it + 1 != arguments.end() &&
                             (it + 1)->rfind("-", 0) != 0;
    if (value_apart)
      throw UsageError(*it + " " + *(it + 1) + ": Kokkos takes its values with '=': write " + *it +
                       "=" + *(it + 1));
    check_kokkos_value(*it);
    taken.push_back(*it);
    it = arguments.erase(it);
  }
  return taken;
}

/// Texts of options whose values are checked after parsing.
struct Raw {
  std::string backend, reference, team_size, league_size, seed, data, reps, min_time, warmup;
  Names types, inputs, outputs;
  std::map<std::string, std::string> sizes;
};

/// Adds options of one group of the help text.
struct Group {
  CLI::App& app;
  const char* name;

  template <class Value>
  void add(const std::string& flags, Value& value, const char* type,
           const std::string& help) const {
    CLI::Option* option = app.add_option(flags, value, help)->type_name(type)->group(name);
    if (std::string_view(type) == names) option->delimiter(',');
  }
  /// CLI11 writes "..." behind what may have several values.
  static constexpr const char* names = "NAME,";
};

void add_selection(CLI::App& app, Options& o, Raw& raw) {
  const Group group{app, "What to run"};
  group.add("--algorithm", o.algorithms, Group::names,
            "what to compute, or all; default: average_mv, transpose and yax");
  group.add("--variant", o.variants, Group::names, "by name, as --list shows them; default: all");
  group.add("--exclude-variant", o.excluded_variants, Group::names, "leaves these out");
  group.add("--model", o.models, Group::names, joined(known_models()) + "; default: all");
  group.add("--backend", raw.backend, "NAME[:THREADS]",
            "Kokkos execution space of the portable variants, openmp:4 for four threads");
  group.add("--reference", raw.reference, "MODEL/VARIANT[@BACKEND[:THREADS]]",
            "adds columns with speedup and largest difference against this variant");
  group.add("--team-size", raw.team_size, "N",
            "threads of a team, all lanes counted (a CUDA block's), of variants that take it:\n"
            "a number, auto (default), or sweep for all powers of two");
  group.add("--league-size", raw.league_size, "N", "teams, of variants that take it");
}

/// An option for each size that an algorithm has.
void add_sizes(const Group& group, Raw& raw) {
  struct Size {
    char short_name;
    std::string owners;
  };
  std::vector<std::pair<std::string, Size>> sizes; // in the order of the algorithms
  for (const Algorithm& algorithm : algorithms())
    for (const SizeName& size : algorithm.sizes) {
      auto known = std::find_if(sizes.begin(), sizes.end(),
                                [&](const auto& entry) { return entry.first == size.name; });
      if (known == sizes.end())
        known = sizes.insert(known, {std::string(size.name), {size.short_name, ""}});
      std::string& owners = known->second.owners;
      owners += (owners.empty() ? "" : ", ") + std::string(algorithm.name);
    }
  for (const auto& [name, size] : sizes)
    group.add((size.short_name == 0 ? "" : "-" + std::string(1, size.short_name) + ",") + "--" +
                  name,
              raw.sizes[name], "SIZE", size.owners);
}

void add_problem(CLI::App& app, Raw& raw) {
  const Group group{app, "Sizes (4096, 2^12, 4k, 4Ki; default: fits the machine) and data"};
  add_sizes(group, raw);
  group.add("--type", raw.types, Group::names, joined(known_types()));
  group.add("--data", raw.data, "KIND", "made data: " + joined(known_kinds()));
  group.add("--seed", raw.seed, "N", "seed of made data; default 1");
  group.add("--input", raw.inputs, "ARRAY=FILE",
            "real data for an array, from a .npy file; a or yax.a names an array");
  group.add("--output", raw.outputs, "ARRAY=FILE",
            "writes the result to a .npy file; needs one variant and model");
}

void add_measuring(CLI::App& app, Options& o, Raw& raw) {
  const Group measuring{app, "Measuring"};
  measuring.add("--reps", raw.reps, "N", "exactly so many timed runs; default: 10 or more");
  measuring.add("--min-time", raw.min_time, "SECONDS",
                "of timed runs a variant, at least; default 0.2");
  measuring.add("--warmup", raw.warmup, "N", "runs before the first timed one; default 1");
  const Group results{app, "Results"};
  results.add("--json", o.json, "FILE",
              "writes them as JSON (Google Benchmark's format); - is stdout");
  app.add_flag("--launches", o.launches,
               "shows below the table what each variant launched on the GPU: grid, block,\n"
               "registers, shared memory, occupancy")
      ->group(results.name);
  app.add_flag("--list", o.list, "shows variants and this machine, and runs nothing")
      ->group(results.name);
}

std::size_t parse_count(const std::string& text, const std::string& option, std::size_t least) {
  constexpr std::size_t most = 1'000'000;
  const std::size_t count = parse_size(text, option);
  if (count < least || count > most)
    throw UsageError(option + " " + text + ": must be from " + std::to_string(least) + " to " +
                     std::to_string(most));
  return count;
}

double parse_seconds(const std::string& text, const std::string& option) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc{} || rest != end || !(seconds >= 0 && seconds <= 3600))
    throw UsageError(option + " " + text + ": must be a number of seconds from 0 to 3600");
  return seconds;
}

/// Kokkos and CUDA count threads and teams in int.
int parse_launch(const std::string& text, const std::string& option) {
  const std::size_t size = parse_size(text, option);
  if (size < 1 || size > INT_MAX)
    throw UsageError(option + " " + text + ": must be from 1 to " + std::to_string(INT_MAX));
  return static_cast<int>(size);
}

void interpret_launch(Options& o, const Raw& raw) {
  if (raw.team_size == "sweep")
    o.team_size_sweep = true;
  else if (!raw.team_size.empty() && raw.team_size != "auto")
    o.launch.team_size = parse_launch(raw.team_size, "--team-size");
  if (!raw.league_size.empty())
    o.launch.league_size = parse_launch(raw.league_size, "--league-size");
}

void interpret(Options& o, const Raw& raw) {
  if (std::find(o.algorithms.begin(), o.algorithms.end(), "all") != o.algorithms.end())
    o.algorithms = known_algorithms();
  check_names(o.algorithms, known_algorithms(), "--algorithm");
  check_names(o.variants, known_variants(), "--variant");
  for (const std::string& name : o.excluded_variants)
    check_name(name, known_variants(), "--exclude-variant");
  check_names(o.models, known_models(), "--model");
  if (!raw.backend.empty()) o.backend = parse_backend(raw.backend, "--backend");
  if (!raw.reference.empty()) o.reference = parse_reference(raw.reference);
  interpret_launch(o, raw);
  for (const auto& [name, text] : raw.sizes)
    if (!text.empty()) o.sizes[name] = parse_size(text, "--" + name);
  for (const std::string& name : raw.types) {
    check_name(name, known_types(), "--type");
    o.types.push_back(*type_named(name));
  }
  if (!raw.data.empty()) {
    check_name(raw.data, known_kinds(), "--data");
    o.data = *data_kind_named(raw.data);
  }
  if (!raw.seed.empty()) o.seed = parse_size(raw.seed, "--seed");
  if (!raw.reps.empty()) o.reps = parse_count(raw.reps, "--reps", 1);
  if (!raw.min_time.empty()) o.min_time = parse_seconds(raw.min_time, "--min-time");
  if (!raw.warmup.empty()) o.warmup = parse_count(raw.warmup, "--warmup", 0);
  o.inputs = parse_files(raw.inputs, "--input");
  o.outputs = parse_files(raw.outputs, "--output");
  check_files(o);
}

} // namespace

std::size_t parse_size(const std::string& text, const std::string& option) {
  const auto bad = [&](const char* why) {
    throw UsageError(option + " " + text + ": " + why + "; write 4096, 2^12, 4k or 4Ki");
  };
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) bad("is too large");
  if (error != std::errc{}) bad("is not a size");
  const std::string suffix(rest, end);
  if (!suffix.empty() && suffix[0] == '^') {
    const auto exponent = whole_number(suffix.substr(1));
    if (!exponent) bad("is not a size");
    if (*exponent > 63) bad("is too large");
    std::size_t power = 1;
    for (std::size_t k = 0; k < *exponent; ++k)
      if (__builtin_mul_overflow(power, value, &power)) bad("is too large");
    return power;
  }
  const std::map<std::string, std::size_t> suffixes{
      {"", 1},          {"k", 1000},      {"M", 1000000},  {"G", 1000000000},
      {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
  const auto factor = suffixes.find(suffix);
  if (factor == suffixes.end()) bad("is not a size");
  if (__builtin_mul_overflow(value, factor->second, &value)) bad("is too large");
  return value;
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  Names arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "") != arguments.end())
    throw UsageError("an argument is empty; perhaps a shell variable is not set");
  ParsedOptions parsed;
  parsed.options.kokkos = take_kokkos_arguments(arguments);
  Raw raw;
  CLI::App app{"Runs portable (Kokkos) kernels and their native twins on the same data, verifies\n"
               "both, and says how close the portable ones come. Without options: every variant\n"
               "of average_mv, transpose and yax.",
               "miniapp"};
  app.set_help_flag("-h,--help", "prints this text");
  app.set_version_flag("--version", version_text(), "prints the version");
  app.footer("Options of Kokkos pass through: --kokkos-device-id=0, --kokkos-num-threads=4,\n"
             "--kokkos-tools-libs=FILE, --kokkos-help.\n"
             "Exit status: 0 all verified, 1 a result was wrong, 2 usage or input error,\n"
             "3 no device, or not enough memory.");
  add_selection(app, parsed.options, raw);
  add_problem(app, raw);
  add_measuring(app, parsed.options, raw);
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes vectors
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    parsed.exit = true;
    parsed.text = app.help();
    return parsed;
  } catch (const CLI::CallForVersion&) {
    parsed.exit = true;
    parsed.text = version_text() + "\n";
    return parsed;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + "; see --help");
  }
  interpret(parsed.options, raw);
  return parsed;
}

} // namespace ado
