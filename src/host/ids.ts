// The ids that the code and the manifest share, and those that the code registers for links and
// rows. A test compares them with package.json and README.

export const extensionId = 'automation-platform-tools.automation-platform';
/**
 * Display name, command category, output channel, and diagnostic source. It is a proper name, so it
 * is never translated.
 */
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
  addDeploymentsFromText: 'automationPlatform.addDeploymentsFromText',
  findDeployments: 'automationPlatform.findDeployments',
  removeDeployment: 'automationPlatform.removeDeployment',
  setDeploymentLabel: 'automationPlatform.setDeploymentLabel',
  /** In menus of rows only. */
  setGroup: 'automationPlatform.setGroup',
  setOwner: 'automationPlatform.setOwner',
  /** In menus of rows only: the Command Palette does not show it. */
  editDeploymentId: 'automationPlatform.editDeploymentId',
  refresh: 'automationPlatform.refresh',
  cancelRefresh: 'automationPlatform.cancelRefresh',
  refreshDeployment: 'automationPlatform.refreshDeployment',
  showOnlyProblems: 'automationPlatform.showOnlyProblems',
  showAll: 'automationPlatform.showAll',
  groupByAccount: 'automationPlatform.groupByAccount',
  groupByGroup: 'automationPlatform.groupByGroup',
  groupByDeployment: 'automationPlatform.groupByDeployment',
  chooseGroups: 'automationPlatform.chooseGroups',
  goToDeployment: 'automationPlatform.goToDeployment',
  notifyWhenFixed: 'automationPlatform.notifyWhenFixed',
  /** In menus of rows only. */
  stopNotifying: 'automationPlatform.stopNotifying',
  muteProblem: 'automationPlatform.muteProblem',
  unmuteProblem: 'automationPlatform.unmuteProblem',
  openInDashboard: 'automationPlatform.openInDashboard',
  lookUpInstall: 'automationPlatform.lookUpInstall',
  forgetInstall: 'automationPlatform.forgetInstall',
  revokeApiKey: 'automationPlatform.revokeApiKey',
  copyId: 'automationPlatform.copyId',
  findInFiles: 'automationPlatform.findInFiles',
  copyReport: 'automationPlatform.copyReport',
  copyRequest: 'automationPlatform.copyRequest',
  addCheck: 'automationPlatform.addCheck',
  checkConnection: 'automationPlatform.checkConnection',
  /** The button of a first row. VS Code's own command has no icon, which a button needs. */
  manageTrust: 'automationPlatform.manageTrust',
  showLog: 'automationPlatform.showLog',
  /**
   * VS Code passes the focused row to commands in the title of a view. This command and the next
   * one ignore it.
   */
  signInFromTitle: 'automationPlatform.signInFromTitle',
  copyReportFromTitle: 'automationPlatform.copyReportFromTitle',
} as const;

/**
 * Registered, but not contributed: links and rows call them, the Command Palette does not show
 * them.
 */
export const internalCommandIds = {
  /** Argument: the ID of a deployment. Shows and selects the deployment's first row. */
  revealDeployment: 'automationPlatform.internal.revealDeployment',
  /** Shows all groups until the window is reloaded. */
  showAllGroups: 'automationPlatform.internal.showAllGroups',
  /** Shows the chosen groups alone again. */
  showMyGroups: 'automationPlatform.internal.showMyGroups',
} as const;

export type CommandName = keyof typeof commandIds | keyof typeof internalCommandIds;

export const settingKeys = {
  baseUrl: 'baseUrl',
  deployments: 'deployments',
  refreshInterval: 'refreshInterval',
  requestTimeout: 'requestTimeout',
  maxConcurrentRequests: 'maxConcurrentRequests',
  failedAccounts: 'diagnostics.failedAccounts',
  unsatisfiedRequirements: 'diagnostics.unsatisfiedRequirements',
  inlayHints: 'inlayHints',
  owners: 'owners',
  mutes: 'mutes',
  dashboardUrl: 'dashboardUrl',
  statusBar: 'statusBar.enabled',
  badge: 'badge.enabled',
  newProblems: 'notifications.newProblems',
} as const;

export const contextKeys = {
  welcome: 'automationPlatform.welcome',
  signedIn: 'automationPlatform.signedIn',
  /** Another window has signed in to an organization that this one can use only after a reload. */
  lacksSignIn: 'automationPlatform.lacksSignIn',
  refreshing: 'automationPlatform.refreshing',
  onlyProblems: 'automationPlatform.onlyProblems',
  byAccount: 'automationPlatform.byAccount',
  byGroup: 'automationPlatform.byGroup',
  /** An entry of the list has a group. */
  hasGroups: 'automationPlatform.hasGroups',
  hasDeployments: 'automationPlatform.hasDeployments',
  hasInstalls: 'automationPlatform.hasInstalls',
  hasDashboard: 'automationPlatform.hasDashboard',
  notifying: 'automationPlatform.notifying',
  /**
   * This key and the next three complete a step of the walkthrough, once the user has done it in
   * this window.
   */
  hasOpenedProblem: 'automationPlatform.hasOpenedProblem',
  hasSeenHover: 'automationPlatform.hasSeenHover',
  hasCopiedRequest: 'automationPlatform.hasCopiedRequest',
  hasGoneToDeployment: 'automationPlatform.hasGoneToDeployment',
} as const;

export const toolNames = {
  listProblems: 'automationPlatform_listProblems',
  getDeploymentAuthorization: 'automationPlatform_getDeploymentAuthorization',
} as const;

/** The first word of a `TreeItem.contextValue`. Menus in the manifest match these words. */
export const contextValues = {
  deployment: 'deployment',
  deploymentNotFound: 'deploymentNotFound',
  failure: 'failure',
  failureNotFound: 'failureNotFound',
  failureTokenRejected: 'failureTokenRejected',
  advice: 'advice',
  /**
   * Replaces `advice` below a deployment if a newer answer contradicts its last answer, or if the
   * advice is to look in a dashboard that is not set.
   */
  outdated: 'outdated',
  requirement: 'requirement',
  account: 'account',
  noAccount: 'noAccount',
  connection: 'connection',
  scope: 'scope',
  unseen: 'unseen',
  /** A first row. The next word is the remedy whose button it has. */
  cause: 'cause',
  hidden: 'hidden',
  group: 'group',
  install: 'install',
} as const;
