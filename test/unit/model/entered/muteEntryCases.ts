/** Epoch ms of a time on 25 November 2026, in UTC. */
export const now = Date.UTC(2026, 10, 25, 12);

/** The only token that is known. */
export const token = 'apt_0123456789';

type Fields = Readonly<Record<string, unknown>>;

const rest = { since: '2026-11-25', until: '2026-12-31', reason: 'App review at Slack, FIN-1234' };

/** A right entry of each kind. */
export const rightEntry = {
  account: { account: 'acc_1', error: 'token_revoked', ...rest },
  requirement: { deployment: 'dep_1', requirement: 'notifier', missing: ['chat:write'], ...rest },
} as const satisfies Record<string, Fields>;

const { account, requirement } = rightEntry;

export interface WrongEntry {
  /** What the title says after "when". */
  readonly when: string;
  readonly entry: unknown;
  /** Why the parser refuses the entry. */
  readonly reason: string;
  /** Present if a JSON schema cannot know what is wrong. */
  readonly isRightBySchema?: true;
}

interface RightEntry {
  /** What the title says after "when". */
  readonly when: string;
  readonly entry: Fields;
  /** Present if the schema is stricter than the parser. */
  readonly isWrongBySchema?: true;
}

function without(entry: Fields, field: string): Fields {
  const { [field]: _, ...others } = entry;
  return others;
}

/** Also the type of another field: that of `missing`, or of all others. */
const valuesOfOtherTypes = [null, 5, true, {}, ['x']];

function withOneFieldWrong(kind: keyof typeof rightEntry): readonly WrongEntry[] {
  const entry: Fields = rightEntry[kind];
  return Object.keys(entry).flatMap((field): WrongEntry[] => {
    const isList = field === 'missing';
    const otherValues = isList
      ? [null, 5, true, {}, 'x', [5], [null], [['x']]]
      : valuesOfOtherTypes;
    const expected = isList ? 'a list of scopes' : 'a text';
    return [
      {
        when: `the “${field}” of its ${kind} is missing`,
        entry: without(entry, field),
        reason: `“${field}” is missing`,
      },
      ...otherValues.map((value) => ({
        when: `the “${field}” of its ${kind} is ${JSON.stringify(value)}`,
        entry: { ...entry, [field]: value },
        reason: `“${field}” is not ${expected}`,
      })),
    ];
  });
}

function withOneName(name: string): readonly WrongEntry[] {
  return ['account', 'deployment', 'requirement'].map((field) => ({
    when: `its “${field}” is ${JSON.stringify(name)}`,
    entry: { ...(field === 'account' ? account : requirement), [field]: name },
    reason: `“${field}” is empty`,
  }));
}

const { deployment, requirement: binding, missing } = requirement;

const mixes: Readonly<Record<string, Fields>> = {
  'an account and a requirement': { ...account, ...requirement },
  'an account and a deployment': { ...account, deployment },
  'an account and a binding': { ...account, requirement: binding },
  'an account and missing scopes': { ...account, missing },
  'a requirement and an account': { ...requirement, account: account.account },
  'a requirement and an account that is null': { ...requirement, account: null },
  'a requirement and an error': { ...requirement, error: account.error },
  'an account and missing scopes, but no error': {
    account: account.account,
    missing,
    ...rest,
  },
  'a requirement and an error, but no scopes': {
    deployment,
    requirement: binding,
    error: account.error,
    ...rest,
  },
};

const withBothSubjects = Object.entries(mixes).map(
  ([what, entry]): WrongEntry => ({
    when: `it names ${what}`,
    entry,
    reason: 'it names an account and a requirement',
  }),
);

/** Texts that are no day, also for a schema. */
const noDays = [
  '',
  ' ',
  '2026-2-3',
  '26-12-31',
  '2026-12',
  '20261231',
  '2026/12/31',
  '31.12.2026',
  'Dec 31, 2026',
  '2026-12-31T00:00:00Z',
  ' 2026-12-31',
  '2026-12-31\n',
  '+002026-12-31',
  '-2026-12-31',
  // A month of a year with six digits, which is as long as a day.
  '+012026-12',
  '-000001-12',
  '2026-13-01',
  '2026-00-01',
  '2026-12-00',
  '2026-12-32',
  '２０２６-１２-３１',
  'never',
];

/** Days that no calendar has, which a schema cannot know. */
const noDaysOfCalendar = ['2026-02-29', '2026-02-30', '2026-04-31', '2100-02-29'];

function withOneDayWrong(): readonly WrongEntry[] {
  return ['since', 'until'].flatMap((field) => {
    const reason = `“${field}” is not a day such as 2026-12-31`;
    const wrong = (day: string) => ({
      when: `its “${field}” is ${JSON.stringify(day)}`,
      entry: { ...account, [field]: day },
      reason,
    });
    return [
      ...noDays.map(wrong),
      ...noDaysOfCalendar.map((day) => ({ ...wrong(day), isRightBySchema: true as const })),
    ];
  });
}

const withWrongDistance: readonly WrongEntry[] = [
  ['its “since” is the day after tomorrow', '2026-11-27', '2026-11-30'],
  ['its “since” is years ahead', '2031-01-01', '2031-06-01'],
  ['its “since” is in the year 9999', '9999-01-01', '9999-12-31'],
].map(([when, since, until]) => ({
  when: when!,
  entry: { ...account, since, until },
  reason: '“since” is later than tomorrow',
  isRightBySchema: true,
}));

const tooLong: readonly WrongEntry[] = [
  ['its “until” is 367 days after “since”', '2026-11-25', '2027-11-27'],
  ['its “until” is decades after “since”', '2026-11-25', '2062-12-31'],
  ['its “until” is in the year 9999', '2026-11-25', '9999-12-31'],
  ['its “since” is in the year 0', '0000-01-01', '2026-12-31'],
].map(([when, since, until]) => ({
  when: when!,
  entry: { ...requirement, since, until },
  reason: '“until” is more than 366 days after “since”',
  isRightBySchema: true,
}));

const withWrongReason: readonly WrongEntry[] = [
  ['its “reason” is empty', ''],
  ['its “reason” is blank', ' \t\n\u00a0\u3000\ufeff'],
  ['its “reason” has 201 characters', 'x'.repeat(201)],
  ['its “reason” has 201 emoji', '👍'.repeat(201)],
].map(([when, reason]) => ({
  when: when!,
  entry: { ...account, reason },
  reason: '“reason” does not have 1 to 200 characters',
}));

const withInvisibleReason: WrongEntry = {
  when: 'its “reason” has only characters that cannot be seen',
  entry: { ...account, reason: '\u200b\u202e\u3164' },
  reason: '“reason” does not have 1 to 200 characters',
  isRightBySchema: true,
};

const fieldsOfAccount = 'account, error, since, until, reason';
const fieldsOfRequirement = 'deployment, requirement, missing, since, until, reason';

const otherFields: readonly Fields[] = [
  { enabled: true },
  { Until: '2026-12-31' },
  { 'until ': '2026-12-31' },
  { note: '' },
  { '': null },
  { constructor: {} },
  { id: token },
  { ids: [[token]] },
];

const withOtherField = otherFields.flatMap((other): WrongEntry[] => [
  {
    when: `its account has ${JSON.stringify(other)}, too`,
    entry: { ...account, ...other },
    reason: `it has other fields than ${fieldsOfAccount}`,
  },
  {
    when: `its requirement has ${JSON.stringify(other)}, too`,
    entry: { ...requirement, ...other },
    reason: `it has other fields than ${fieldsOfRequirement}`,
  },
]);

/** With a field of this name, as `JSON.parse` makes it. */
const withFieldProto: unknown = JSON.parse(
  JSON.stringify(account).replace('{', '{ "__proto__": { "account": "acc_2" }, '),
);

const ofOtherTypes: readonly WrongEntry[] = [null, true, 5, 'acc_1', [account], []].map(
  (entry) => ({
    when: `it is ${JSON.stringify(entry).slice(0, 20)}`,
    entry,
    reason: 'it is not an object',
  }),
);

const withToken: readonly WrongEntry[] = [
  { when: 'its “account” has a token', entry: { ...account, account: token } },
  { when: 'its “error” has a token', entry: { ...account, error: `code ${token}` } },
  { when: 'its “reason” has a token', entry: { ...account, reason: `See ${token}.` } },
  { when: 'its “deployment” has a token', entry: { ...requirement, deployment: token } },
  { when: 'its “requirement” has a token', entry: { ...requirement, requirement: token } },
  { when: 'its “missing” has a token', entry: { ...requirement, missing: ['a', `b ${token}`] } },
].map((one) => ({ ...one, reason: 'it contains a token', isRightBySchema: true }));

/** Entries that mute nothing, each for one reason. */
export const wrongEntries: readonly WrongEntry[] = [
  ...withOneFieldWrong('account'),
  ...withOneFieldWrong('requirement'),
  ...withOneName(''),
  ...withOneName(' \n'),
  ...withBothSubjects,
  ...withOneDayWrong(),
  ...withWrongDistance,
  ...tooLong,
  ...withWrongReason,
  withInvisibleReason,
  ...withOtherField,
  {
    when: 'it has “__proto__”, too',
    entry: withFieldProto,
    reason: `it has other fields than ${fieldsOfAccount}`,
  },
  ...ofOtherTypes,
  { when: 'it is {}', entry: {}, reason: 'it names neither an account nor a requirement' },
  {
    when: 'it names nothing',
    entry: rest,
    reason: 'it names neither an account nor a requirement',
  },
  {
    when: 'it names a service',
    entry: { service: 'slack', ...rest },
    reason: 'it names neither an account nor a requirement',
  },
  ...withToken,
];

/** Entries that may mute, or have ended. */
export const rightEntries: readonly RightEntry[] = [
  { when: 'it names an account', entry: account },
  { when: 'it names a requirement', entry: requirement },
  { when: 'it names an error without a code', entry: { ...account, error: '' } },
  { when: 'it names no missing scope', entry: { ...requirement, missing: [] } },
  { when: 'it names a missing scope twice', entry: { ...requirement, missing: ['a', 'a'] } },
  { when: 'its fields are in another order', entry: { ...rest, account: 'acc_1', error: 'x' } },
  {
    when: 'its “until” is 366 days after “since”',
    entry: { ...account, since: '2026-11-25', until: '2027-11-26' },
  },
  {
    when: 'its “until” is a leap day',
    entry: { ...account, since: '2024-02-29', until: '2024-02-29' },
  },
  {
    when: 'its “since” is tomorrow',
    entry: { ...account, since: '2026-11-26', until: '2026-11-30' },
  },
  { when: 'its “until” is today', entry: { ...account, until: '2026-11-25' } },
  { when: 'it has ended', entry: { ...account, since: '2025-11-25', until: '2025-12-31' } },
  { when: 'its “until” is before “since”', entry: { ...account, until: '2026-11-24' } },
  {
    when: 'it is of the year 0',
    entry: { ...account, since: '0000-01-01', until: '0000-12-31' },
  },
  { when: 'its “reason” has 200 characters', entry: { ...account, reason: 'x'.repeat(200) } },
  { when: 'its “reason” has 200 emoji', entry: { ...account, reason: '👍'.repeat(200) } },
  { when: 'its “reason” has two lines', entry: { ...account, reason: 'App review\nat Slack' } },
  {
    when: 'its “reason” has white space around it',
    entry: { ...account, reason: ' \tApp review \n' },
  },
  {
    when: 'its “reason” has 200 characters and a space',
    entry: { ...account, reason: `${'x'.repeat(200)} ` },
    isWrongBySchema: true,
  },
];
