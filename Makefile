# Names of the scripts, each of which says at its beginning what it does. `make` lists them; arguments go to the script itself.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format api docs prose house ci

help:  ## lists these names
	@sed -nE 's/^([a-z]+):.*## (.*)$$/\1\t\2/p' Makefile | expand -t 10

setup:  ## installs what building and testing need: scripts/setup --tests
	@scripts/setup --tests

demo:  ## builds and runs the demo, the quickest way to see the package work: scripts/demo
	@scripts/demo

test:  ## builds and runs all tests: scripts/test
	@scripts/test

check:  ## checks what has changed, before a commit: scripts/check
	@scripts/check

format:  ## formats the sources: scripts/format
	@scripts/format

api:  ## writes the public interface to API/, from a built package: scripts/api
	@scripts/api

docs:  ## builds the reference and the guides: scripts/docs
	@scripts/docs

prose:  ## lists wordings that Documentation/Style.md advises against: scripts/check-prose --list
	@scripts/check-prose --list

house:  ## prints the size of the sources beside its goals: scripts/house
	@scripts/house

ci:  ## runs everything that a merged change has to pass: .ci/run
	@.ci/run
