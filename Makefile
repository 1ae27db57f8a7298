# albumd: everything from a fresh Debian 12 with Swift 6.3. `make help` lists the targets.
#
#   SWIFT_BUILD_FLAGS   more flags for every swift build and swift test (-j 2, --disable-sandbox ...)
#   PREFIX, DESTDIR     where `make install` puts things; PYTHONDIR, the Python package; ZSHDIR, zsh's completions

SWIFT ?= swift
SWIFT_BUILD_FLAGS ?=
# SwiftPM leaves directories behind with every build (TemporaryDirectory.*): not in /tmp, and until the next one.
SWIFT_TMP = $(CURDIR)/.build/tmp
SWIFTPM = mkdir -p $(SWIFT_TMP) && TMPDIR=$(SWIFT_TMP) $(SWIFT)
PREFIX ?= /usr
# Where Debian's Python looks beneath /usr; elsewhere, name the directory.
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages
# Where Debian's zsh looks beneath /usr; site-functions elsewhere.
ZSHDIR ?= $(PREFIX)/share/zsh/vendor-completions
SYSCONFDIR ?= /etc
# Where albumd looks for what packages say about apps, whatever its own prefix.
VENDORDIR = /usr/share/albumd
DESTDIR ?=
# What is installed must run where there is no Swift: its runtime goes into the binaries. No library is looked for
# beside them ($ORIGIN), and every symbol is bound before main: then what is called through stays read-only.
RELEASE_FLAGS = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -z -Xlinker now $(SWIFT_BUILD_FLAGS)

# SwiftPM's links to what it built last.
BIN ?= $(CURDIR)/.build/debug
RELEASE_BIN ?= $(CURDIR)/.build/release
# The systemd test boots a container.
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),sudo)
SCRIPTS = $(shell grep -lE '^\#!.*(bash|/sh)$$' .ci/* scripts/* Tests/*/run Benchmarks/* Fuzz/* 2>/dev/null)

.PHONY: build release test demo demo-page page-test unit storm faults protections fuzz sanitize examples lint layers conformance python-test file-systems systemd-test bench page-bench bench-instructions soak install clean help
.DEFAULT_GOAL := build
# Two builds at a time would only wait for each other.
.NOTPARALLEL:

help: ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

build: ## debug build of everything, tests included
	@scripts/deps build
	@rm -rf $(SWIFT_TMP)
	$(SWIFTPM) build --build-tests $(SWIFT_BUILD_FLAGS)

# In one build, nothing else in it (Package.swift).
release: export ALBUMD_INSTALLED = 1
release: ## what is installed: optimized, with Swift's runtime inside
	@scripts/deps build
	$(SWIFTPM) build $(RELEASE_FLAGS)

test: lint layers unit page-test examples conformance python-test file-systems systemd-test fuzz ## every test there is
# Longer where only this is asked for.
test: SECONDS = 15

demo: release ## the main job, in a minute and a temporary directory
	@scripts/demo $(RELEASE_BIN)

PHOTOS ?= 100000
PICTURES ?= $(CURDIR)/.build/page
demo-page: build ## the page's story in a real browser, with screenshots: PICTURES=folder
	@scripts/deps page
	Tests/Page/run --story $(PICTURES) $(BIN)

page-test: build ## the page in Chromium, with scripts and without, by axe, and what no browser would send
	@scripts/deps page
	Tests/Page/run $(BIN)

unit: build ## unit and integration tests
	@scripts/deps unit
	mkdir -p $(SWIFT_TMP)
	TMPDIR=$(SWIFT_TMP) scripts/swift-test $(SWIFT) test --skip-build $(SWIFT_BUILD_FLAGS)
	Tests/Terminal/run $(BIN)

# Each seed is a history of the library, and one of the daemon: a hundred take about a minute and a half.
SEEDS ?= 1000-2000
storm: build ## random histories and traffic with other seeds than in every run: SEEDS=1000-2000
	STORM_SEEDS=$(SEEDS) TMPDIR=$(SWIFT_TMP) $(SWIFT) test --skip-build $(SWIFT_BUILD_FLAGS) --filter 'StormTests|TrafficPropertyTests'

KILLS ?= 1000
faults: build ## R2: killed so often under load (KILLS=1000), and what else can happen to a machine
	KILLS=$(KILLS) $(SWIFT) test --skip-build $(SWIFT_BUILD_FLAGS) --filter 'KillTests|FaultTests'

NAMES ?=
protections: ## a test fails for each protection that is taken out, in a copy: NAMES='"one" "another"'
	@scripts/deps build
	SWIFT=$(SWIFT) Tests/Protections/run $(NAMES)

SECONDS ?= 60
fuzz: ## every parser of what comes from outside, with inputs made by libFuzzer: SECONDS=60 each
	@scripts/deps build
	Fuzz/build
	Fuzz/run $(SECONDS)

# Random histories, which run on one thread and for long, and what starts the programs, stay out of both; what has no
# threads, out of the second (docs/decisions/0051-sanitizers.md).
SANITIZED = --skip 'IntegrationTests|PicturesTests|StormTests|PropertyTests|RedoLogTests'
THREADED = --filter '^(EventLoop|VarlinkServer|VarlinkTransport|AlbumClient|AlbumDaemon|LibraryIO)Tests\.'
# Where a pointer of Swift's has a tag, leaks are seen that are none.
ASAN = ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no
TSAN = TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/tsan.suppressions
sanitize: ## tests under AddressSanitizer, with the fuzzers' inputs, and under ThreadSanitizer
	@scripts/deps build unit
	$(ASAN) $(SWIFT) build --build-tests --sanitize=address --scratch-path .build-asan $(SWIFT_BUILD_FLAGS)
	$(ASAN) $(SWIFT) test --skip-build --sanitize=address --scratch-path .build-asan $(SWIFT_BUILD_FLAGS) $(SANITIZED)
	Fuzz/build --sanitize=address --scratch-path .build-asan
	FUZZ=.build-asan/debug/fuzz Fuzz/run 0
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-tsan $(SWIFT_BUILD_FLAGS)
	$(TSAN) $(SWIFT) test --skip-build --sanitize=thread --scratch-path .build-tsan $(SWIFT_BUILD_FLAGS) $(SANITIZED) $(THREADED)

examples: build ## the example apps, which are a package of their own, as any app is
	$(SWIFTPM) build --package-path Examples --scratch-path .build/examples $(SWIFT_BUILD_FLAGS)
	Tests/Examples/run $(BIN) .build/examples/debug

lint: ## format, shell scripts, a text and a test for every rule, a name for every command, every language in manifests, paths of an installation, a place for every protection
	@scripts/deps lint
	@scripts/check-rules
	@scripts/check-commands
	@scripts/check-manifests
	@scripts/check-install
	@Tests/Protections/run --check
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Plugins Tests Fuzz Benchmarks/ReadAssets Examples/Package.swift Examples/Sources
	shellcheck --external-sources --check-sourced $(SCRIPTS)

layers: build ## which target imports and links what
	@scripts/check-layers --bin $(BIN)

conformance: build ## Varlink against implementations that nobody here wrote
	@scripts/deps conformance
	Tests/Conformance/run $(BIN)
	Tests/Readme/run $(BIN)

python-test: build ## the Python package with a real daemon, and its examples: a backup and a gallery
	@scripts/deps python
	Tests/Python/run $(BIN)

file-systems: build ## libraries on ext4, xfs, btrfs, FAT, NTFS and what else photos lie on: disk images, mounted
	@scripts/deps file-systems
	$(AS_ROOT) Tests/FileSystems/run $(BIN)

MINUTES ?= 60
soak: release ## programs that nobody here wrote write for an hour, and what that takes: MINUTES=60
	@scripts/deps file-systems unit
	$(AS_ROOT) Tests/FileSystems/soak $(RELEASE_BIN) $(MINUTES)

systemd-test: release ## installed, under a booted systemd
	@scripts/deps systemd
	$(AS_ROOT) Tests/systemd/run $(RELEASE_BIN)

bench: release ## every target beside its peers; TARGETS="T1 T6", REPS, PIN, QUICK, PHOTOS
	@scripts/deps bench
	Benchmarks/build
	Benchmarks/run --bin $(RELEASE_BIN) $(TARGETS)

page-bench: release ## the page's targets (T19 to T21) in Chromium, with PHOTOS=100000 photographs
	@scripts/deps page
	PHOTOS=$(PHOTOS) Tests/Page/run --large $(RELEASE_BIN)

bench-instructions: release ## instructions an operation, beside the C programs' and the last release's; KEEP=1 keeps them
	@scripts/deps instructions
	$(SWIFTPM) build $(RELEASE_FLAGS) --product read-assets
	Benchmarks/build
	Benchmarks/instructions --bin $(RELEASE_BIN) $(if $(KEEP),--keep)

# What `make release` built. Nothing is built here, so that root needs no Swift.
install: ## binaries, units, configuration; honours DESTDIR and PREFIX
	install -D --strip -t $(DESTDIR)$(PREFIX)/bin $(RELEASE_BIN)/albumd $(RELEASE_BIN)/albumctl $(RELEASE_BIN)/albumweb
	install -D --strip -t $(DESTDIR)$(PREFIX)/libexec $(RELEASE_BIN)/albumd-pictures
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/system systemd/*.service systemd/*.socket
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/user systemd/user/albumd.service systemd/user/albumd.socket systemd/user/albumweb.service
	install -D -m 644 systemd/albumd.sysusers.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/albumd.conf
	install -D -m 644 systemd/albumd.tmpfiles.conf $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/albumd.conf
	install -D -m 644 -t $(DESTDIR)$(VENDORDIR)/apps.d Config/apps.d/*.yaml
	install -D -m 644 -t $(DESTDIR)$(VENDORDIR)/guides Sources/DaemonConfiguration/Guides/*.yaml
	install -D -m 644 -t $(DESTDIR)$(VENDORDIR)/words Sources/Words/Catalogues/*.yaml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/varlink Sources/AlbumAPI/Interfaces/*.varlink
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/albumd Config/policies.d/*.example
	for part in . aio blocking interfaces; do \
	  install -D -m 644 -t $(DESTDIR)$(PYTHONDIR)/albumd/$$part python/albumd/$$part/*.py; done
	install -D -m 644 -t $(DESTDIR)$(PYTHONDIR)/albumd python/albumd/py.typed
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(RELEASE_BIN)/albumctl --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/albumctl
	$(RELEASE_BIN)/albumctl --generate-completion-script zsh > $(DESTDIR)$(ZSHDIR)/_albumctl
	$(RELEASE_BIN)/albumctl --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/albumctl.fish
	chmod 644 $(DESTDIR)$(PREFIX)/share/bash-completion/completions/albumctl $(DESTDIR)$(ZSHDIR)/_albumctl $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/albumctl.fish
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/applications Config/albumweb.desktop
	install -D -m 644 Sources/albumweb/Resources/icon.svg $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps/albumweb.svg
	sed -E -i 's,/usr/(bin/albumd|bin/albumctl|bin/albumweb|libexec/albumd-pictures)\b,$(PREFIX)/\1,g' $(DESTDIR)$(PREFIX)/lib/systemd/*/album*.service $(DESTDIR)$(VENDORDIR)/apps.d/*.yaml $(DESTDIR)$(PREFIX)/share/applications/albumweb.desktop
	install -d $(DESTDIR)$(SYSCONFDIR)/albumd/apps.d $(DESTDIR)$(SYSCONFDIR)/albumd/policies.d $(DESTDIR)$(SYSCONFDIR)/albumd/guides $(DESTDIR)$(SYSCONFDIR)/albumd/words
	test -e $(DESTDIR)$(SYSCONFDIR)/albumd/albumd.yaml || \
	  install -m 644 Config/albumd.yaml $(DESTDIR)$(SYSCONFDIR)/albumd/albumd.yaml

clean: ## everything that was built
	rm -rf .build .build-* Benchmarks/bin Benchmarks/results
