// Checks of the web page's JavaScript; run by `make lint`.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["chuhe/web/static/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: true },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-shadow": "error", "no-implicit-globals": "error" },
  },
];
