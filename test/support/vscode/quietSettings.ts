/** Defaults that keep a fresh window free of what is not ours: no AI, welcome pages, tips, look-ups, experiments, port scans. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  // Newer versions open settings in a dialog that lies over the window.
  'workbench.editor.useModal': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'remote.autoForwardPorts': false,
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
};
