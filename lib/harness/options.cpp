// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/registry.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace ado {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// All different values of one member over the registered variants.
std::vector<std::string> registered(std::string_view Variant::*member) {
  std::set<std::string> names;
  for (const Variant& variant : variants())
    names.emplace(variant.*member);
  return {names.begin(), names.end()};
}

/// Empties a list that holds `all`; throws for a name that nobody knows.
void check_names(std::vector<std::string>& names, const std::vector<std::string>& known,
                 const std::string& option) {
  if (std::find(names.begin(), names.end(), "all") != names.end()) names.clear();
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(option + ": no '" + name + "'; there are: " + joined(known));
}

std::pair<std::string, std::string> name_and_file(const std::string& text,
                                                  const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw UsageError(option + " " + text + ": write ARRAY=FILE, for example " + option +
                     " v=v.npy");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

BackendSpec parse_backend(const std::string& text, const std::string& option) {
  const std::size_t colon = text.find(':');
  BackendSpec spec{text.substr(0, colon), 0};
  if (colon == std::string::npos) return spec;
  const std::size_t threads = parse_size(text.substr(colon + 1), option);
  if (threads == 0 || threads > 4096)
    throw UsageError(option + " " + text + ": the thread count must be from 1 to 4096");
  spec.threads = static_cast<int>(threads);
  return spec;
}

ReferenceSpec parse_reference(const std::string& text) {
  const std::size_t slash = text.find('/'), at = text.find('@');
  if (slash == std::string::npos || (at != std::string::npos && at < slash))
    throw UsageError("--reference " + text +
                     ": write MODEL/VARIANT[@BACKEND], for example openmp/m_outer");
  ReferenceSpec spec;
  spec.model = text.substr(0, slash);
  spec.variant = text.substr(slash + 1, at == std::string::npos ? at : at - slash - 1);
  if (at != std::string::npos) spec.backend = parse_backend(text.substr(at + 1), "--reference");
  std::vector<std::string> model{spec.model}, variant{spec.variant};
  check_names(model, {model_names.begin(), model_names.end()}, "--reference, model");
  check_names(variant, registered(&Variant::name), "--reference, variant");
  return spec;
}

/// Takes the --kokkos-* arguments out of the command line. `--kokkos-device-id 0` would abort in
/// Kokkos with a core dump, so a value that stands apart is refused here.
std::vector<std::string> take_kokkos_arguments(std::vector<std::string>& arguments) {
  std::vector<std::string> taken;
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
    taken.push_back(*it);
    it = arguments.erase(it);
  }
  return taken;
}

/// Texts of options whose values are checked after parsing.
struct Raw {
  std::string backend, reference, data = "uniform";
  std::vector<std::string> types, inputs, outputs;
  std::map<std::string, std::string> sizes;
  std::string reps;
};

void add_selection(CLI::App& app, Options& o, Raw& raw) {
  app.add_option("--algorithm", o.algorithms, "what to compute; default average_mv,transpose,yax")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--variant", o.variants, "which ways to compute it, or all (default)")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--exclude-variant", o.excluded_variants, "which to leave out")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--model", o.models,
                 "whose code: " + joined({model_names.begin(), model_names.end()}))
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--backend", raw.backend,
                 "Kokkos execution space of the portable variants; openmp:4 uses 4 threads")
      ->type_name("NAME[:THREADS]");
  app.add_option("--reference", raw.reference,
                 "adds columns with speedup and largest difference against this variant")
      ->type_name("MODEL/VARIANT[@BACKEND[:THREADS]]");
}

void add_problem(CLI::App& app, Options& o, Raw& raw) {
  const auto size = [&](const std::string& flags, const std::string& name, const char* help) {
    app.add_option(flags, raw.sizes[name], help)->type_name("SIZE")->group("Problem");
  };
  size("-N,--sets", "sets", "average_mv: sets; 4096, 2^12, 4k or 4Ki");
  size("-M,--vectors", "vectors", "average_mv: vectors in a set");
  size("-L,--length", "length", "average_mv: length of a vector");
  size("--rows", "rows", "transpose, yax: rows of the matrix");
  size("--cols", "cols", "transpose, yax: columns of the matrix");
  app.add_option("--type", raw.types, "element types: i8 i16 i32 i64 f32 f64 c64 c128")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->group("Problem");
  app.add_option("--data", raw.data, "made data: ones_twos, uniform (default) or hash")
      ->type_name("KIND")
      ->group("Problem");
  app.add_option("--seed", o.seed, "seed of made data; default 1")
      ->type_name("N")
      ->group("Problem");
  app.add_option("--input", raw.inputs, "real data for an array, from a .npy file")
      ->type_name("ARRAY=FILE")
      ->group("Problem");
  app.add_option("--output", raw.outputs,
                 "writes an array to a .npy file; needs one variant and model")
      ->type_name("ARRAY=FILE")
      ->group("Problem");
}

void add_measuring(CLI::App& app, Options& o, Raw& raw) {
  app.add_option("--reps", raw.reps, "exactly so many timed runs; default: 10, or until --min-time")
      ->type_name("N")
      ->group("Measuring");
  app.add_option("--min-time", o.min_time, "seconds of timed runs a variant; default 0.2")
      ->check(CLI::Range(0.0, 3600.0))
      ->type_name("SECONDS")
      ->group("Measuring");
  app.add_option("--warmup", o.warmup, "runs before the first timed one; default 1")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N")
      ->group("Measuring");
  app.add_option("--json", o.json,
                 "writes the results as JSON (Google Benchmark's format); - is stdout")
      ->type_name("FILE")
      ->group("Output");
  app.add_flag("--list", o.list, "lists variants and this machine, and runs nothing")
      ->group("Output");
}

void interpret(Options& o, const Raw& raw) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms())
    names.emplace_back(algorithm.name);
  check_names(o.algorithms, names, "--algorithm");
  check_names(o.variants, registered(&Variant::name), "--variant");
  check_names(o.excluded_variants, registered(&Variant::name), "--exclude-variant");
  check_names(o.models, {model_names.begin(), model_names.end()}, "--model");
  if (!raw.backend.empty()) o.backend = parse_backend(raw.backend, "--backend");
  if (!raw.reference.empty()) o.reference = parse_reference(raw.reference);
  for (const auto& [name, text] : raw.sizes)
    if (!text.empty()) o.sizes[name] = parse_size(text, "--" + name);
  for (const std::string& name : raw.types) {
    const auto type = type_named(name);
    if (!type)
      throw UsageError("--type: no '" + name +
                       "'; there are: i8, i16, i32, i64, f32, f64, c64, c128");
    o.types.push_back(*type);
  }
  const auto kind = data_kind_named(raw.data);
  if (!kind) throw UsageError("--data: no '" + raw.data + "'; there are: ones_twos, uniform, hash");
  o.data = *kind;
  for (const std::string& text : raw.inputs)
    o.inputs.insert(name_and_file(text, "--input"));
  for (const std::string& text : raw.outputs)
    o.outputs.insert(name_and_file(text, "--output"));
  if (!raw.reps.empty()) {
    o.reps = parse_size(raw.reps, "--reps");
    if (*o.reps == 0) throw UsageError("--reps: at least 1 is needed");
  }
}

} // namespace

std::size_t parse_size(const std::string& text, const std::string& option) {
  const auto bad = [&](const char* why) {
    throw UsageError(option + " " + text + ": " + why + "; write 4096, 2^12, 4k or 4Ki");
  };
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, status] = std::from_chars(text.data(), end, value);
  if (status == std::errc::result_out_of_range) bad("is too large");
  if (status != std::errc{}) bad("is not a size");
  const std::string suffix(rest, end);
  std::size_t factor = 1;
  if (!suffix.empty() && suffix[0] == '^') {
    std::size_t exponent = 0;
    auto [tail, error] = std::from_chars(rest + 1, end, exponent);
    if (error != std::errc{} || tail != end || exponent == 0 || exponent > 63) bad("is not a size");
    const std::size_t base = value;
    for (; exponent > 1; --exponent)
      if (__builtin_mul_overflow(value, base, &value)) bad("is too large");
    return value;
  }
  const std::map<std::string, std::size_t> suffixes{
      {"", 1},          {"k", 1000},      {"M", 1000000},  {"G", 1000000000},
      {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
  const auto found = suffixes.find(suffix);
  if (found == suffixes.end()) bad("is not a size");
  factor = found->second;
  if (__builtin_mul_overflow(value, factor, &value)) bad("is too large");
  return value;
}

ParsedOptions parse_options(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  ParsedOptions parsed;
  parsed.options.kokkos = take_kokkos_arguments(arguments);
  Raw raw;
  CLI::App app{"Runs portable (Kokkos) kernels and their native twins on the same data, verifies "
               "both, and says how close the portable ones come.",
               "miniapp"};
  app.set_version_flag("--version", version_text());
  app.footer(
      "Options of Kokkos pass through: --kokkos-device-id=0, --kokkos-num-threads=4, "
      "--kokkos-tools-libs=FILE, --kokkos-help.\n"
      "Exit status: 0 all verified, 1 a result was wrong, 2 usage or input error, 3 no device "
      "or not enough memory.");
  add_selection(app, parsed.options, raw);
  add_problem(app, parsed.options, raw);
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
