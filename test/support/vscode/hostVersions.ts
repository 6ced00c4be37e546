/**
 * `name` is that of the folder in hosts/ and of the `--vscode` switch, `vscode` that of the same desktop VS Code, `node` the Node that
 * it ships, because its extension host doesn't work on every other.
 */
export const hostVersions = [
  { name: '1.105', vscode: '1.105.1', node: 22 },
  { name: '1.139', vscode: '1.139.1', node: 24 },
] as const;

export type HostVersion = (typeof hostVersions)[number];

export const [oldestHost, newestHost] = hostVersions;

export function hostVersion(name: string): HostVersion {
  const found = hostVersions.find((version) => version.name === name || version.vscode === name);
  if (found) return found;
  throw new Error(
    `--vscode ${name}: known are ${hostVersions.map((version) => version.name).join(' and ')}.`,
  );
}
