/**
 * The extension's build: one source, Manifest V3 for Chrome and Firefox. Nothing is granted at install: the service's address and each
 * listing site are asked for one by one. The modes `e2e` and `development` also reach loopback addresses, for the emulator.
 */
import { join } from "node:path"
import type { PluginOption } from "vite"
import { defineConfig } from "wxt"
import * as Exceljs from "./bundling/Exceljs.ts"
import { sources } from "./Sources.ts"
import { optionalPermissions, permissions, permissionsOf } from "./src/Permissions.ts"

/** Loopback, where the emulator listens. */
const loopback = "http://127.0.0.1/*"

const reachesLoopback = (mode: string): boolean => mode === "e2e" || mode === "development"

const securityPolicy = (mode: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src https:${reachesLoopback(mode) ? " http://127.0.0.1:*" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The one policy makes the address of the export's worker, and refuses every other: see src/ui/export/Worker.ts.
    "trusted-types deedkit",
  ].join("; ")

const isNoAutomaticImport = (plugin: PluginOption): boolean =>
  !(typeof plugin === "object" && plugin !== null && "name" in plugin && plugin.name === "unimport")

export default defineConfig({
  srcDir: "src",
  outDir: "dist",
  manifestVersion: 3,
  zip: {
    name: "deedkit",
    sourcesRoot: join(import.meta.dirname, "..", ".."),
    includeSources: [...sources],
  },
  imports: false,
  hooks: {
    // `imports: false` leaves WXT's plugin for automatic imports at work: it takes any parameter called `storage` for WXT's storage library.
    "vite:build:extendConfig": (_, config) => {
      config.plugins = (config.plugins ?? []).flat().filter(isNoAutomaticImport)
    },
    // WXT puts the title of the popup's page here.
    "build:manifestGenerated": (_, manifest) => {
      if (manifest.action !== undefined) manifest.action.default_title = "__MSG_extensionAction__"
    },
  },
  manifest: ({ browser, mode }) => ({
    name: "__MSG_extensionName__",
    description: "__MSG_extensionDescription__",
    default_locale: "en",
    permissions: [
      ...Object.keys(permissions),
      ...Object.keys(browser === "firefox" ? permissionsOf.firefox : permissionsOf.chrome),
    ],
    optional_permissions: Object.keys(optionalPermissions),
    optional_host_permissions: ["https://*/*"],
    ...(reachesLoopback(mode) ? { host_permissions: [loopback] } : {}),
    content_security_policy: { extension_pages: securityPolicy(mode) },
    action: { default_title: "__MSG_extensionAction__" },
    // Chrome takes four suggestions and no more.
    commands: {
      _execute_action: { suggested_key: { default: "Alt+Shift+D" } },
      "toggle-badges": {
        suggested_key: { default: "Alt+Shift+L" },
        description: "__MSG_commandBadges__",
      },
      sync: { suggested_key: { default: "Alt+Shift+U" }, description: "__MSG_commandSync__" },
      "open-export": { suggested_key: { default: "Alt+Shift+E" }, description: "__MSG_commandExport__" },
    },
    omnibox: { keyword: "deed" },
    ...(browser === "firefox"
      ? {
          browser_specific_settings: {
            gecko: {
              // Firefox keeps what is saved, and the store its updates, under this name. It never changes: see store/Listing.md.
              id: "extension@deedkit",
              strict_min_version: "142.0",
              data_collection_permissions: { required: ["authenticationInfo"] },
            },
            // With this, the store offers the same package to Firefox for Android.
            gecko_android: { strict_min_version: "142.0" },
          },
        }
      : { minimum_chrome_version: "123" }),
  }),
  vite: ({ mode }) => ({
    resolve: {
      conditions: ["@deedkit/source", "module", "browser", "development|production"],
      alias: Exceljs.alias,
    },
    define: Exceljs.define,
    // Modules, so that exceljs is a file that is loaded when a workbook is asked for.
    worker: { format: "es", rolldownOptions: { transform: { inject: Exceljs.inject } } },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: ["chrome123", "firefox142"],
      cssTarget: ["chrome123", "firefox142"],
      // Parts of pages that come later are small files of the package: to read them ahead takes more code than it saves time.
      modulePreload: false,
      // The background and the content script say nothing on a console, not even what WXT would say there about their start.
      rolldownOptions: { treeshake: { manualPureFunctions: ["console.warn", "logger.error"] } },
      ...(mode === "development" ? { minify: false, sourcemap: "inline" } : { sourcemap: false }),
    },
  }),
})
