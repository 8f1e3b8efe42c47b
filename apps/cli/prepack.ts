/**
 * Before a package is made here. What is published is the folder `dist`, which `publishConfig.directory` tells pnpm; npm does not read that, and would
 * make a package with versions that only this workspace understands.
 */
if (process.env["npm_execpath"]?.endsWith("npm-cli.js") === true) {
  process.stderr.write("The package is in dist: run `pnpm build`, then `npm pack ./dist`.\n")
  process.exit(1)
}
await import("./build.ts")
