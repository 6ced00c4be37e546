/** Every id that the manifest contributes or the code registers, once. A test compares them with package.json and README. */
export const extensionId = 'automation-platform-tools.automation-platform';
/** Display name, command category, output channel and diagnostic source; a proper name, so never translated. */
export const productName = 'Automation Platform';
export const authenticationId = 'automationPlatform';
export const configurationSection = 'automationPlatform';

export const viewIds = {
  deployments: 'automationPlatform.deployments',
  installs: 'automationPlatform.installs',
} as const;

export const commandIds = {
  signIn: 'automationPlatform.signIn',
  switchOrganization: 'automationPlatform.switchOrganization',
  setSessionToken: 'automationPlatform.setSessionToken',
  signOut: 'automationPlatform.signOut',
  addDeployment: 'automationPlatform.addDeployment',
  removeDeployment: 'automationPlatform.removeDeployment',
  setDeploymentLabel: 'automationPlatform.setDeploymentLabel',
  refresh: 'automationPlatform.refresh',
  cancelRefresh: 'automationPlatform.cancelRefresh',
  refreshDeployment: 'automationPlatform.refreshDeployment',
  showOnlyProblems: 'automationPlatform.showOnlyProblems',
  showAll: 'automationPlatform.showAll',
  goToDeployment: 'automationPlatform.goToDeployment',
  lookUpInstall: 'automationPlatform.lookUpInstall',
  forgetInstall: 'automationPlatform.forgetInstall',
  revokeApiKey: 'automationPlatform.revokeApiKey',
  copyId: 'automationPlatform.copyId',
  copyReport: 'automationPlatform.copyReport',
  checkConnection: 'automationPlatform.checkConnection',
  showLog: 'automationPlatform.showLog',
} as const;

/** Registered, not contributed: links and rows call them, no palette shows them. */
export const internalCommandIds = {
  /** Argument: deployment id. Turns the filter off if it hides the node, and selects it. */
  revealDeployment: 'automationPlatform.internal.revealDeployment',
} as const;

export const settingKeys = {
  baseUrl: 'baseUrl',
  deployments: 'deployments',
  refreshInterval: 'refreshInterval',
  requestTimeout: 'requestTimeout',
  maxConcurrentRequests: 'maxConcurrentRequests',
  failedAccounts: 'diagnostics.failedAccounts',
  unsatisfiedRequirements: 'diagnostics.unsatisfiedRequirements',
  statusBar: 'statusBar.enabled',
  badge: 'badge.enabled',
  newProblems: 'notifications.newProblems',
} as const;

/** `when` clauses of the manifest read these. */
export const contextKeys = {
  /** Which welcome text an empty Deployments view shows: `WelcomeState`. */
  welcome: 'automationPlatform.welcome',
  signedIn: 'automationPlatform.signedIn',
  refreshing: 'automationPlatform.refreshing',
  onlyProblems: 'automationPlatform.onlyProblems',
  hasDeployments: 'automationPlatform.hasDeployments',
  hasInstalls: 'automationPlatform.hasInstalls',
  /** The walkthrough's steps tick when these are done: a row was opened, a hover in a file shown, a deployment gone to. */
  hasReadTree: 'automationPlatform.hasReadTree',
  hasSeenHover: 'automationPlatform.hasSeenHover',
  hasGoneToDeployment: 'automationPlatform.hasGoneToDeployment',
  /** Changes when a page like the walkthrough's opens: see contextKeys.ts. */
  walkthroughBeat: 'automationPlatform.walkthroughBeat',
} as const;

/** With no row at all, the view says one thing and offers one step. */
export type WelcomeState =
  | 'keyringUnreadable'
  | 'notSignedIn'
  | 'chooseOrganization'
  | 'noDeployments'
  | 'notAllRead'
  | 'allHidden'
  | 'rows';

export const toolNames = {
  getDeploymentAuthorization: 'automationPlatform_getDeploymentAuthorization',
  getIntegrationInstall: 'automationPlatform_getIntegrationInstall',
} as const;

/** `TreeItem.contextValue`: menus in the manifest match these. */
export const contextValues = {
  deployment: 'deployment',
  requirement: 'requirement',
  account: 'account',
  connection: 'connection',
  scope: 'scope',
  install: 'install',
} as const;
