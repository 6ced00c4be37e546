import { strict as assert } from 'node:assert';
import {
  account,
  authorization,
  connection,
  DEFAULT_TOKEN,
  requirement,
} from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { page } from '../../support/platform/onTheWay.js';
import { linksIn, referencesIn } from '../../support/rendered.js';
import { endTest } from '../../support/window/endOfTest.js';
import { createGraph, platformOfTest } from '../../support/window/graph.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import { type Kind, type Surface, surfacesOf } from '../../support/window/surfaces.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

/**
 * Whose text can reach a surface. Each source has a word of its own, between what would like to be a
 * link, an image, HTML, a mention, a reference, an icon, a command, another line, or reversed text.
 */
const sources = {
  accountId: 'Qaccid',
  accountLabel: 'Qacclabel',
  accountService: 'Qaccservice',
  accountServiceSub: 'Qaccsub',
  accountScope: 'Qaccscope',
  accountChecked: 'Qaccchecked',
  errorCode: 'Qerrcode',
  errorMessage: 'Qerrmessage',
  unknownField: 'Qunknown',
  binding: 'Qbinding',
  requirementService: 'Qreqservice',
  requiredScope: 'Qreqscope',
  connectionMethod: 'Qmethod',
  eligibleAccount: 'Qeligible',
  refusalBody: 'Qrefusal',
  redirectHost: 'qredirect.example',
  pageTitle: 'Qtitle',
  certificateIssuer: 'Qissuer',
  deploymentId: 'Qdepid',
  deploymentLabel: 'Qdeplabel',
  group: 'Qgroup',
  owner: 'Qowner',
  muteReason: 'Qreason',
  fileName: 'Qfile',
  organizationName: 'Qorganization',
} as const;

type Source = keyof typeof sources;

const start = '[a](//phish.example) ';
const end =
  ' https://phish.example ![](//phish.example/p.png) www.phish.example @admin #1 deadbeef1 <b> $(zap) ::error::x ##[x]\u202E\n- x';

function hostile(source: Source): string {
  return start + sources[source] + end;
}

/** A hostile ID on one line, so that it may stand in a line of an editor. */
function hostileId(source: Source): string {
  return hostile(source).replace('\n', ' ');
}

const accountId = hostileId('accountId');

const failed = authorization(
  [
    account({
      id: accountId,
      label: hostile('accountLabel'),
      serviceId: hostile('accountService'),
      serviceSub: hostile('accountServiceSub'),
      connectionMethodId: hostile('connectionMethod'),
      scopes: [hostile('accountScope')],
      checkedAt: hostile('accountChecked'),
      error: { code: hostile('errorCode'), message: hostile('errorMessage') },
      [hostile('unknownField')]: hostile('unknownField'),
    }),
    account({ id: 'acc_works', label: hostile('eligibleAccount'), serviceId: 'slack', scopes: [] }),
  ],
  [
    requirement({
      binding: hostile('binding'),
      serviceId: hostile('requirementService'),
      accountId,
      satisfied: false,
      eligibleAccountIds: [],
      connections: [
        connection({
          connectionMethodId: hostile('connectionMethod'),
          minimalScopes: [],
          requiredScopes: [hostile('requiredScope')],
        }),
      ],
    }),
    requirement({
      binding: hostile('binding'),
      serviceId: hostile('requirementService'),
      satisfied: false,
      eligibleAccountIds: ['acc_works'],
      connections: [],
    }),
  ],
);

const muted = authorization([account({ id: 'acc_muted', error: { code: 'gone' } })], []);

/** An entry that mutes the account of `muted` for everyone until the end of today. */
function muteOfAccount() {
  const today = new Date().toISOString().slice(0, 10);
  const subject = { account: 'acc_muted', error: 'gone' };
  return { ...subject, since: today, until: today, reason: hostile('muteReason') };
}

/** What must not be left of a text, by the kind of the surface that shows it. */
const alive = {
  /** Rows, quick picks, status bar: an icon. */
  label: /\$\(/,
  /** Notifications and questions: a link in brackets, an icon. */
  notification: /[[\]]|\$\(/,
  /** Diagnostics, hints, screen readers, tools: nothing comes alive, but nothing may be hidden. */
  plain: /(?!)/,
  /** The log and other text editors: an address. */
  editor: /(?:https?|file):\/\/(?!127\.0\.0\.1)/i,
  /** A CI job's log: a command of its runner. */
  jobLog: /^\s*::(?!error|warning)|##\w*\[/,
} as const;

/** What can't be seen or reorders what can. Line breaks are checked line by line. */
const unseen = /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Surrogate}/u;

/** Of which sources something can be read on each surface. */
const reached: Readonly<Record<string, readonly Source[]>> = {
  rows: [
    'accountLabel',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'binding',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'deploymentLabel',
    'group',
    'muteReason',
  ],
  'hovers of rows': [
    'accountId',
    'accountLabel',
    'accountService',
    'accountServiceSub',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'unknownField',
    'binding',
    'requirementService',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'refusalBody',
    'pageTitle',
    'deploymentId',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
    'fileName',
    'organizationName',
  ],
  'screen readers': [
    'accountLabel',
    'accountService',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'binding',
    'requirementService',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentLabel',
    'group',
    'muteReason',
    'fileName',
    'organizationName',
  ],
  'counts of chosen groups': ['group', 'organizationName'],
  'hovers in editors': [
    'accountId',
    'accountLabel',
    'accountService',
    'accountServiceSub',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'unknownField',
    'binding',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'refusalBody',
    'pageTitle',
    'deploymentId',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
    'organizationName',
  ],
  diagnostics: ['accountLabel', 'accountService', 'errorCode', 'binding', 'deploymentLabel'],
  'inlay hints': ['eligibleAccount'],
  'quick picks': ['deploymentId', 'deploymentLabel', 'group', 'muteReason', 'organizationName'],
  'the status bar’s hover': [
    'deploymentId',
    'deploymentLabel',
    'group',
    'fileName',
    'organizationName',
  ],
  'notifications and questions': [
    'refusalBody',
    'redirectHost',
    'deploymentId',
    'deploymentLabel',
    'group',
  ],
  'the log': ['refusalBody', 'organizationName'],
  'the text of Check Connection': ['redirectHost', 'certificateIssuer', 'organizationName'],
  'the copied text of Check Connection': ['redirectHost', 'certificateIssuer', 'organizationName'],
  'a copied request': [
    'accountLabel',
    'accountService',
    'errorCode',
    'errorMessage',
    'binding',
    'requirementService',
    'requiredScope',
    'eligibleAccount',
    'refusalBody',
    'pageTitle',
    'deploymentLabel',
    'owner',
  ],
  'the report on one deployment': [
    'accountId',
    'accountLabel',
    'accountService',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'unknownField',
    'binding',
    'requirementService',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'deploymentId',
    'deploymentLabel',
    'owner',
  ],
  'the report on all': [
    'accountLabel',
    'accountService',
    'errorCode',
    'errorMessage',
    'binding',
    'requirementService',
    'requiredScope',
    'eligibleAccount',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
    'fileName',
  ],
  tools: [
    'accountId',
    'accountLabel',
    'accountService',
    'accountServiceSub',
    'accountScope',
    'accountChecked',
    'errorCode',
    'errorMessage',
    'unknownField',
    'binding',
    'requirementService',
    'requiredScope',
    'connectionMethod',
    'eligibleAccount',
    'refusalBody',
    'redirectHost',
    'pageTitle',
    'deploymentId',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
    'fileName',
    'organizationName',
  ],
  'the check as text': [
    'accountLabel',
    'accountService',
    'errorCode',
    'binding',
    'requiredScope',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentLabel',
    'owner',
    'muteReason',
    'fileName',
  ],
  'the check as annotations': [
    'accountLabel',
    'accountService',
    'errorCode',
    'binding',
    'requiredScope',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentLabel',
    'owner',
    'muteReason',
    'fileName',
  ],
  'the check as JSON': [
    'accountId',
    'accountLabel',
    'accountService',
    'errorCode',
    'errorMessage',
    'binding',
    'requirementService',
    'requiredScope',
    'eligibleAccount',
    'refusalBody',
    'redirectHost',
    'pageTitle',
    'deploymentId',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
  ],
  'the check’s summary file': [
    'accountLabel',
    'accountService',
    'errorCode',
    'binding',
    'requiredScope',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentLabel',
    'owner',
    'muteReason',
  ],
  'the check’s JUnit file': [
    'accountLabel',
    'accountService',
    'errorCode',
    'binding',
    'requiredScope',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentId',
    'deploymentLabel',
    'group',
    'owner',
    'muteReason',
    'fileName',
  ],
  'the check’s summary': [
    'accountLabel',
    'accountService',
    'errorCode',
    'binding',
    'requiredScope',
    'eligibleAccount',
    'redirectHost',
    'pageTitle',
    'deploymentLabel',
    'owner',
    'muteReason',
  ],
};

/** Our own links and marks, which are allowed: the base URL and its host first. */
const ourBaseUrl = /(?:http:\/\/)?127\.0\.0\.1[\w:/.-]*|platform\.test/g;
const ourLinks = /\[[^\]]*\]\(command:automationPlatform\.[A-Za-z.]+\?[\w%.-]*\)/g;
const ourMarks =
  /\$\([a-z-]+\)|<span style="color:var\(--vscode-descriptionForeground\);">|<\/span>/g;
const ourHtml =
  /<\/?(?:details|summary)>|<!-- automation-platform-check exit=\d listed=\d+ read=\d+ -->/g;

/** The lines or links of a text that are more than text on this kind of surface. */
function aliveIn(kind: Kind, text: string): readonly string[] {
  const hidden = text.split('\n').filter((line) => unseen.test(line));
  if (kind === 'hover')
    return [...hidden, ...linksIn(text.replace(ourLinks, '').replace(ourMarks, ''))];
  if (kind === 'markdown') {
    const pasted = text.replace(ourHtml, '').replace(ourBaseUrl, '');
    return [...hidden, ...linksIn(pasted), ...referencesIn(pasted)];
  }
  return [...hidden, ...text.split('\n').filter((line) => alive[kind].test(line))];
}

describe('foreign text', () => {
  let surfaces: Readonly<Record<string, Surface>>;
  const id = hostileId('deploymentId');

  before(async () => {
    const platform = await platformOfTest();
    const shown = recordWindow();
    platform.putDeployment(id, failed);
    platform.putDeployment('muted', muted);
    platform.fault({ id: 'refused' }, faults.text(403, hostile('refusalBody')));
    platform.fault({ id: 'moved' }, faults.redirect(`https://${sources.redirectHost}/login`));
    await writeSetting('automationPlatform.owners', { [accountId]: hostile('owner') }, Workspace);
    await writeSetting('automationPlatform.mutes', [muteOfAccount()], Workspace);
    const graph = createGraph();
    const { organizations } = graph.services;
    const { baseUrl } = platform;
    await organizations.signIn({
      name: `[a](//p.example) ${sources.organizationName} @x $(zap)\u202E`,
      baseUrl,
      token: DEFAULT_TOKEN,
    });
    platform.fault({ id: 'filtered' }, page(403, hostile('pageTitle')));
    graph.ignore({ deployments: { count: 8, files: [hostile('fileName')] } });
    const group = `[a](//p.example) ${sources.group} @x #1 <b> $(zap)\u202E`;
    const first = { id, label: hostile('deploymentLabel'), group };
    await graph.read(first, 'refused', 'moved', 'filtered', 'muted');
    graph.app.showError(new Error(hostile('refusalBody')));
    surfaces = surfacesOf(graph, shown, {
      fileName: hostile('fileName').replaceAll('/', '_'),
      issuer: hostile('certificateIssuer'),
      redirectHost: hostile('redirectHost'),
    });
  });
  after(endTest);

  for (const [name, sourcesThere] of Object.entries(reached)) {
    it(`is only text in ${name}`, async () => {
      const { kind, texts } = surfaces[name]!;
      const alivePlaces = (await texts()).flatMap((text) => aliveIn(kind, text));
      assert.deepEqual(alivePlaces, []);
    });

    it(`reaches ${name} from ${sourcesThere.length} sources`, async () => {
      const text = (await surfaces[name]!.texts()).join('\n');
      const readable = Object.entries(sources).filter(([, word]) => text.includes(word));
      const readableSources = readable.map(([source]) => source);
      assert.deepEqual(readableSources, sourcesThere);
    });
  }

  it('is tested on each surface', () => {
    assert.deepEqual(Object.keys(surfaces), Object.keys(reached));
  });
});
