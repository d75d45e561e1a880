import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Data runs one way: a folder of src/ imports only from folders to its left, and from base/. */
const chain = ['config', 'connection', 'catalog', 'content'];
const surfaces = ['filesystem', 'tree', 'chat'];

/** Which folders each folder must not import from. */
const forbidden = {
  base: [...chain, ...surfaces, 'command', 'ui'],
  ...Object.fromEntries(
    chain.map((folder, index) => [folder, [...chain.slice(index + 1), ...surfaces, 'command', 'ui']]),
  ),
  ...Object.fromEntries(
    surfaces.map((folder) => [folder, [...surfaces.filter((other) => other !== folder), 'command']]),
  ),
  ui: [...surfaces, 'command'],
  command: [],
};

/** The core knows no editor, and only connection/ runs the SDK. */
const editorFree = ['base', 'config', 'connection', 'catalog', 'content'];

function layerRule(folder, folders) {
  const patterns = [
    ...folders.map((other) => ({ group: [`../${other}/*`], message: `${folder}/ must not import from ${other}/.` })),
    {
      group: ['../extension', '../publicApi', '../sampleServer/*'],
      message: 'The composition root imports, it is not imported.',
    },
  ];
  const paths = [
    ...(editorFree.includes(folder) ? [{ name: 'vscode', message: 'The core knows no editor.' }] : []),
    ...(folder === 'connection'
      ? []
      : [{ name: '@modelcontextprotocol/client', message: 'Only connection/ runs the SDK.' }]),
  ];
  return { files: [`src/${folder}/**/*.ts`], rules: { 'no-restricted-imports': ['error', { paths, patterns }] } };
}

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'dist-test', '.host', '.conformance'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // It does not see that a flag may have changed while something was awaited.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      // `vscode.Disposable` is a class in name only: whatever has `dispose` is one.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      eqeqeq: 'error',
    },
  },
  ...Object.entries(forbidden).map(([folder, folders]) => layerRule(folder, folders)),
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        require: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
        document: 'readonly',
        window: 'readonly',
        performance: 'readonly',
        addEventListener: 'readonly',
        MutationObserver: 'readonly',
        indexedDB: 'readonly',
        localStorage: 'readonly',
        TextDecoder: 'readonly',
      },
    },
  },
  {
    // The watcher, the one file of its folder that knows the editor.
    files: ['src/config/serverDefinitions.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  prettier,
);
