// The VS Code versions that we test in: the oldest supported one and the newest that can be had.

const highContrast = { hcDark: 'Default High Contrast', hcLight: 'Default High Contrast Light' } as const;

/**
 * `name` is that of the folder in hosts/ and of the `--vscode` switch, `vscode` that of the same desktop VS Code, `node` the Node that
 * it ships, because its extension host doesn't work on every other. The themes are those of a fresh profile.
 */
export const hostVersions = [
  {
    name: '1.105',
    vscode: '1.105.1',
    node: 22,
    themes: { light: 'Default Light Modern', dark: 'Default Dark Modern', ...highContrast },
  },
  { name: '1.139', vscode: '1.139.1', node: 24, themes: { light: 'Light 2026', dark: 'Dark 2026', ...highContrast } },
] as const;

export type HostVersion = (typeof hostVersions)[number];

export type Theme = keyof HostVersion['themes'];

export const newestHost = hostVersions[1];

export function hostVersion(name: string): HostVersion {
  const found = hostVersions.find((version) => version.name === name || version.vscode === name);
  if (found) return found;
  throw new Error(`--vscode ${name}: known are ${hostVersions.map((version) => version.name).join(' and ')}.`);
}
