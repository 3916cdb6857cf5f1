#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the installed list of parts is SPDX, and names what the build was made of: the files that its
objects include, as ninja knows them, and the libraries that the mini-app loads.

usage: sbom.py BUILD SBOM
"""
import json
import pathlib
import re
import subprocess
import sys

# Part: what a file's path has in it.
HEADERS = {"CLI11": r"/CLI/|/CLI11", "nlohmann_json": r"/nlohmann", "Eigen": r"/Eigen/", "GTest": r"/gtest/",
           "Kokkos": r"/Kokkos_Core\.hpp", "Kokkos Kernels": r"/KokkosBlas", "OpenBLAS": r"/cblas\.h",
           "FFTW": r"/fftw3-mpi\.h", "NCCL": r"/nccl\.h", "CUDA Toolkit": r"/cuda_runtime_api\.h"}
KEYS = {"SPDXID", "name", "versionInfo", "downloadLocation", "filesAnalyzed", "licenseConcluded", "licenseDeclared",
        "copyrightText", "comment", "checksums", "externalRefs"}
LIBRARIES = {"Kokkos": "libkokkoscore", "Kokkos Kernels": "libkokkoskernels", "OpenBLAS": "libopenblas",
             "FFTW": "libfftw3_mpi", "NCCL": "libnccl"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def parts_in(libraries):
    return {name for name, library in LIBRARIES.items() if library in libraries}


def main():
    build, file = map(pathlib.Path, sys.argv[1:])
    sbom = json.loads(file.read_text())
    assert sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0", sbom
    assert sbom["SPDXID"] == "SPDXRef-DOCUMENT" and sbom["documentNamespace"].startswith("urn:"), sbom
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"]["created"]), sbom["creationInfo"]
    packages = {package["name"]: package for package in sbom["packages"]}
    identifiers = {"SPDXRef-DOCUMENT", *(package["SPDXID"] for package in sbom["packages"])}
    assert len(identifiers) == len(sbom["packages"]) + 1, "two parts have one name"
    for package in sbom["packages"]:
        assert set(package) <= KEYS, set(package) - KEYS
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]), package
        for key in ("downloadLocation", "licenseDeclared", "licenseConcluded", "copyrightText"):
            assert package[key], (package["name"], key)
        for checksum in package.get("checksums", []):
            assert checksum["algorithm"] == "SHA256" and re.fullmatch("[0-9a-f]{64}", checksum["checksumValue"]), package
    related = set()
    for relation in sbom["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= identifiers, relation
        related |= {relation["spdxElementId"], relation["relatedSpdxElement"]}
    assert related == identifiers, identifiers - related

    deps = output("ninja", "-C", build, "-t", "deps")
    # What only compiles, for another machine, is no part.
    objects = [text for text in deps.split("\n\n") if not re.match(r"\S*(portable_as_cuda|headers_)", text)]
    included = "\n".join(objects)
    taken = {name for name, pattern in HEADERS.items() if re.search(pattern, included)}
    # A library loads others, as the wheel's Kokkos Kernels loads OpenBLAS. Those of an installed one are its own affair,
    # those that came with the build are ours.
    loaded = output("ldd", build / "bin/miniapp")
    asked = output("readelf", "--dynamic", build / "bin/miniapp") + "".join(re.findall(r".*/_deps/.*", loaded))
    listed = set(packages) & (set(HEADERS) | set(LIBRARIES))
    surplus, missing = listed - taken - parts_in(loaded), (taken | parts_in(asked)) - listed
    assert not surplus and not missing, f"listed and not taken: {surplus}; taken and not listed: {missing}"
    print("listed:", ", ".join(f"{name} {package.get('versionInfo', '')}".strip() for name, package in packages.items()))


if __name__ == "__main__":
    main()
