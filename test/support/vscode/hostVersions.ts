// The VS Code versions that we test in: the oldest supported one and the newest that can be had.

import type { NodeMajor } from './installNode.js';

export interface HostVersion {
  /** Names the folder in hosts/ and the `--vscode` switch. */
  readonly name: string;
  /** As a desktop VS Code of the same version is called, for `--desktop`. */
  readonly vscode: string;
  /** The Node that this VS Code ships; its extension host doesn't work on every other. */
  readonly node: NodeMajor;
  /** The themes that a fresh profile of this version uses, and those for high contrast. */
  readonly themes: Readonly<Record<Theme, string>>;
}

export type Theme = 'light' | 'dark' | 'hcDark' | 'hcLight';

const highContrast = { hcDark: 'Default High Contrast', hcLight: 'Default High Contrast Light' } as const;

export const hostVersions: readonly HostVersion[] = [
  {
    name: '1.105',
    vscode: '1.105.1',
    node: 22,
    themes: { light: 'Default Light Modern', dark: 'Default Dark Modern', ...highContrast },
  },
  {
    name: '1.139',
    vscode: '1.139.1',
    node: 24,
    themes: { light: 'Light 2026', dark: 'Dark 2026', ...highContrast },
  },
];

export const newestHost = hostVersions.at(-1)!;

export function hostVersion(name: string): HostVersion {
  const found = hostVersions.find((version) => version.name === name || version.vscode === name);
  if (!found) {
    throw new Error(`--vscode ${name}: known are ${hostVersions.map((version) => version.name).join(' and ')}.`);
  }
  return found;
}
