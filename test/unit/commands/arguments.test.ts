import { strict as assert } from 'node:assert';
import {
  chosenDeployments,
  copyIdOf,
  deploymentsOf,
  hasDeployment,
  isFromKey,
  isFromView,
  problemsOf,
  readRow,
  readRows,
  readText,
  readTexts,
  selectedDeploymentRows,
} from '../../../src/commands/arguments.js';
import { type Deployment, withFindings } from '../../../src/model/findings/deployment.js';
import type { Identity } from '../../../src/model/findings/findings.js';
import { nothingRemembered } from '../../../src/model/findings/state.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { answerOf } from '../../support/answers.js';

const [deployment, other] = ['dep_1', 'dep_2'].map(
  (id): Deployment => ({ id, name: id, state: 'notYetRead', activity: 'idle' }),
);
const answer = answerOf({ serviceId: 'crm', label: 'Acme CRM' });
const install: PendingInstall = { id: 'random', organizationId: 'a', answer };

/** Of the stores only what looks something up. */
const store = { get: (id: string) => [deployment, other].find((one) => one?.id === id) };
const installs = { get: (id: string) => (id === install.id ? install : undefined) };

/** Any extension may call a command with anything. */
const wrong: readonly unknown[] = [
  undefined,
  null,
  1,
  [],
  () => 'dep_1',
  { deployment: null },
  { deployment: { id: 1 } },
];

const deployments = (...given: Parameters<typeof readRows>) =>
  deploymentsOf(store, readRows(...given));
const chosen = (...given: Parameters<typeof readRows>) =>
  chosenDeployments(store, readRows(...given));
const found = (...selected: readonly unknown[]) =>
  selectedDeploymentRows(selected)?.flatMap((row) => row.deploymentIds);
const copied = (given: unknown) => copyIdOf(installs, readRow(given) ?? readRow('none')!);

describe('arguments of commands', () => {
  it('finds the deployments of a row, of the selection or of an ID, each once', () => {
    const row = { kind: 'failure', id: 'x', copyId: 'dep_1', deployment };
    assert.deepEqual(
      deployments(row, [row, 'dep_1', { ...row, deployment: { id: 'not listed' } }]),
      [deployment],
    );
    assert.deepEqual(deployments('dep_1', []), [deployment], 'nothing is selected');
    const account = { kind: 'group', id: 'y', deployments: [deployment, other] };
    assert.deepEqual(deployments(account), [deployment, other]);
    assert.deepEqual(
      [chosen(account), chosen(row, [row, account])],
      [[deployment, other], [deployment]],
    );
    for (const given of wrong) assert.deepEqual(deployments(given), [], String(given));
  });

  it('knows the problem of a row: that of its account or requirement, of an effect its cause, or its own', () => {
    const [problem, cause] = [{ key: 'effect' }, { key: 'cause' }];
    for (const [row, keys] of [
      [{ finding: { problem } }, ['effect']],
      [{ finding: { problem, cause } }, ['cause']],
      [{ problem }, ['effect']],
      [{ finding: {}, problem: 1 }, undefined],
    ] as const) {
      assert.deepEqual(readRow(row)?.problemKeys, keys);
    }
  });

  it('knows the problems of an account that works: those of the requirements that are bound to it', () => {
    const requirements = [{ cause: { key: 'lacks' } }, { state: 'satisfied' }, 1];
    const row = { kind: 'group', deployments: [deployment], finding: {}, requirements };
    assert.deepEqual(readRow(row)?.problemKeys, ['lacks']);
    assert.deepEqual(readRow({ ...row, requirements: [] })?.problemKeys, []);
  });

  it('takes what is selected in the tree only from the keys in the tree', () => {
    assert.equal(isFromKey({ selection: true }), true);
    for (const given of wrong) assert.equal(isFromKey(given), false);
  });

  it('finds the deployments that a key acts on: all that are selected, or none, which asks, but not rows of other kinds', () => {
    const [listed, member] = ['deployment', 'member'].map((kind) => ({
      kind,
      id: 'x',
      deployment,
    }));
    const others = ['failure', 'advice', 'account', 'group'].map((kind) => ({
      kind,
      id: 'y',
      deployment,
    }));
    assert.deepEqual(
      [found(listed), found(member, ...others), found()],
      [['dep_1'], ['dep_1'], []],
    );
    assert.deepEqual([found(...others), found(...wrong)], [undefined, undefined]);
  });

  it('prefills with a text, and with nothing of another kind', () => {
    assert.equal(readText(' key_1 '), 'key_1');
    for (const given of [...wrong, ['key_1'], '  ']) {
      assert.equal(readText(given), undefined, String(given));
    }
  });

  it('prefills field by field', () => {
    const given = { baseUrl: ' https://a.example/api/v1', name: 1, token: 'tok_1' };
    assert.deepEqual(readTexts(given, 'baseUrl', 'name'), { baseUrl: 'https://a.example/api/v1' });
    for (const one of ['dep_1', ...wrong])
      assert.deepEqual(readTexts(one, 'id', 'label'), {}, String(one));
    assert.deepEqual(
      [hasDeployment({ kind: 'failure', deployment }), hasDeployment(given)],
      [true, false],
    );
  });

  it('read nothing of the focused row, which VS Code hands the buttons of a view’s title', () => {
    const row = { kind: 'deployment', id: 'deployment:dep_1', deployment };
    assert.deepEqual(readTexts(row, 'id', 'label'), {});
  });
});

describe('isFromView()', () => {
  const row = { kind: 'deployment', deployment };
  const cases: readonly [what: string, given: readonly unknown[], expected: boolean][] = [
    ['a row', [row, undefined], true],
    ['a key in the tree', [{ selection: true }], true],
    ['a button of the view’s title while no row has the focus', [undefined], true],
    ['the palette, or a button of the welcome view', [], false],
    ['a link in a hover', ['dep_1'], false],
    ['a button of a message', [{ id: 'dep_1' }], false],
    ['the menu of an editor', [{ scheme: 'file', path: '/a.yaml' }, { groupId: 0 }], false],
  ];
  for (const [what, given, expected] of cases) {
    it(`is ${expected} of ${what}`, () => assert.equal(isFromView(given), expected));
  }
});

describe('copyIdOf()', () => {
  it('is the row’s own ID, and of an install its service’s, never its token', () => {
    assert.equal(copied({ id: 'x', copyId: 'acc_1', deployment }), 'acc_1');
    assert.equal(copied(install), 'crm');
    for (const given of [...wrong, { copyId: 1 }])
      assert.equal(copied(given), undefined, String(given));
  });
});

describe('the problems of rows', () => {
  const accounts = Array.from({ length: 100 }, (_, at) => ({ id: `acc_${at}`, error: {} }));
  const failing = withFindings(answerOf({ accounts, requirements: [] }), 'a');
  const listed: Deployment = {
    id: 'a',
    name: 'a',
    state: 'failed',
    activity: 'idle',
    answer: failing,
  };
  const source = {
    memory: nothingRemembered,
    store: { get: (id: string) => (id === 'a' ? listed : undefined) },
  };
  const { problems } = failing.findings;
  const rows = problems.flatMap(
    (problem) => readRow({ kind: 'advice', deployment: listed, problem }) ?? [],
  );

  it('are the own problem of each', () => {
    const own = problemsOf(source, rows, 'unmuted').map(({ problem }) => problem);
    assert.deepEqual(own, problems);
  });

  it('are those that a row of many stands for, without those that are muted, or only these', () => {
    const [muted, ...others] = problems.slice(0, 4);
    const memory = {
      mutedUntil: ({ key }: Identity) => (key === muted!.key ? 1 : undefined),
      isMutedUntilChange: () => false,
    };
    const row = readRow({
      kind: 'joinedAdvice',
      deployment: listed,
      problems: problems.slice(0, 4),
    })!;
    const foundOf = (which: 'unmuted' | 'muted') =>
      problemsOf({ ...source, memory }, [row], which).map(({ problem }) => problem);
    assert.deepEqual(foundOf('unmuted'), others);
    assert.deepEqual(foundOf('muted'), [muted]);
  });

  it('are each once, also beside the row of their deployment', () => {
    const [row] = readRows('a');
    assert.equal(problemsOf(source, [row!, ...rows], 'unmuted').length, 100);
  });

  it('are found by their keys with one look at those of a deployment', () => {
    let looks = 0;
    for (const problem of problems) {
      const { key } = problem;
      Object.defineProperty(problem, 'key', {
        get: () => {
          looks++;
          return key;
        },
      });
    }
    problemsOf(source, rows, 'unmuted');
    assert.ok(looks < 5 * problems.length, `${looks}`);
  });
});
