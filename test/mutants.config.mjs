// Breaks `src` in many small ways and sees whether a unit test notices: `npm run mutants`.
export default {
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner'],
  mutate: [
    'src/model/**/*.ts',
    'src/api/{answer,authorization,decode,escapes,failure,httpTimes,install,queue}.ts',
    'src/api/{secrets,secretSearch}.ts',
    'src/api/entered/*.ts',
    'src/host/list/editedText.ts',
  ],
  mochaOptions: {
    'no-config': true,
    // Those without a socket, and two that need few: each mutant runs the tests that reach it. Mocha splits at a comma, also in braces.
    spec: [
      'out/test/unit/model/**/*.test.js',
      'out/test/unit/api/baseUrl.test.js',
      'out/test/unit/api/decode.test.js',
      'out/test/unit/api/httpTimes.test.js',
      'out/test/unit/api/operations.test.js',
      'out/test/unit/api/pastedText.test.js',
      'out/test/unit/api/proxyAddress.test.js',
      'out/test/unit/api/queue.test.js',
      'out/test/unit/api/secrets.test.js',
      'out/test/unit/api/urlHost.test.js',
      'out/test/unit/commands/toolResult.test.js',
      'out/test/unit/host/editedText.test.js',
    ],
  },
  buildCommand: 'npx tsc -p . --incremental false',
  // Stryker would read the real one with a function that TypeScript 7 no longer has; a missing one it leaves alone.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: '.vscode-test/mutants.json',
  tempDirName: '.vscode-test/mutants',
  ignorePatterns: ['media', 'docs', 'dist', '.vscode-test'],
  timeoutMS: 8_000,
  reporters: ['clear-text', 'progress'],
};
