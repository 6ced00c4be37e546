import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { withoutNamedSecrets } from '../../../../src/model/entered/namedSecrets.js';

/** The words that are left, with `*` in place of each secret. */
function left(text: string): string {
  return withoutNamedSecrets(text, '*').replace(/\s+/g, ' ').trim();
}

function inJson(before: string) {
  return (name: string, secret: string) => `${before}"${name}": ${JSON.stringify(secret)}, dep_1`;
}

describe('a secret with a name', () => {
  for (const [what, text, expected] of [
    ['in a shell', 'DB_PASSWORD=hunter2-Prod! ./run dep_1', '* ./run dep_1'],
    ['in an export', 'export AWS_SECRET_ACCESS_KEY=wJalr/K7 dep_1', 'export * dep_1'],
    ['in YAML, to the end of its line', 'password: correct horse\nid: dep_1', '* id: dep_1'],
    ['in a list of YAML', '- pwd: x1 y2\n- id: dep_1', '- * - id: dep_1'],
    ['in a block of YAML', 'a:\n  secret: |-\n    x1\n\n    y2\n  id: dep_1', 'a: * id: dep_1'],
    [
      'in a vault of Ansible',
      'token: !vault |\n  $ANSIBLE_VAULT;1.1\n  6162\nid: dep_1',
      '* id: dep_1',
    ],
    [
      'in a manifest of Kubernetes',
      '- name: DB_PASSWORD\n  value: x1 y2\n- name: ID',
      '- name: * - name: ID',
    ],
    [
      'in a secret of Kubernetes',
      'data:\n  foo: |\n    YWMz\nkind: Secret\nid: dep_1',
      '* kind: Secret id: dep_1',
    ],
    ['in JSON', '{"apiKey": "x1 y2", "id": "dep_1"}', '{" * , "id": "dep_1"}'],
    ['in JSON with an escape', '{"password": "x\\"1, y", "id": "dep_1"}', '{" * , "id": "dep_1"}'],
    ['in JSON inside of a string', '{\\"password\\":\\"x1\\",\\"id\\":1}', '{\\" * ,\\"id\\":1}'],
    ['in JSON on two lines', '"password":\n  "x1", "id"', '" * , "id"'],
    [
      'in a list of named values',
      '{"name":"DB_PASSWORD","value":"x1 y2"} dep_1',
      '{"name":" * } dep_1',
    ],
    ['in attributes', '<add name="ApiToken" value="x1" /> dep_1', '<add name=" * /> dep_1'],
    ['in an element', '<password>x1 y2</password> dep_1', '< * </password> dep_1'],
    [
      'in an element with a name',
      '<string name="api_key">x1 y2</string>',
      '<string name=" * </string>',
    ],
    ['in code', 'const clientSecret: string = "x1 y2"; dep_1', 'const * ; dep_1'],
    ['in Python', "os.environ['TOKEN'] = b'x1 y2' # dep_1", "os.environ[' * # dep_1"],
    ['in Ruby', ':secret_key_base => "x1", id: 1', ': * , id: 1'],
    ['in a call', 'setPassword("x1 y2"); dep_1', '* ); dep_1'],
    ['in a properties file', 'db.password = x1 y2\nid = dep_1', '* id = dep_1'],
    ['in a flag', 'run --api-token x1 --password=y2 --id dep_1', 'run * * --id dep_1'],
    ['in a literal of kubectl', '--from-literal=password=x1 dep_1', '--from-literal= * dep_1'],
    [
      'in lines of a form',
      'Username\nbob\nPassword\nx1\n\nAPI key:\n\ny2\ndep_1',
      'Username bob * * dep_1',
    ],
    ['behind a dash', 'password - x1\ntoken -> y2\ndep_1', '* * dep_1'],
    ['behind a remark', 'Password (prod): x1\nYour password is: y2\ndep_1', '* Your * dep_1'],
    ['in a table of Markdown', '| token | x1 |\n| id | dep_1 |', '| * | | id | dep_1 |'],
    ['in .netrc', 'machine h login me password x1\ndep_1', 'machine h login me * dep_1'],
    ['in .npmrc', '//registry.example/:_authToken=x1\ndep_1', '//registry.example/: * dep_1'],
    ['in a connection string', 'Name=x;AccountKey=x1==;Other=y dep_1', 'Name=x; * dep_1'],
    ['in a query', 'https://dash.example/dep_1?access_token=x1', 'https://dash.example/dep_1? *'],
    [
      'in headers',
      '-H "Authorization: Basic x1" -H \'Cookie: a=x1; b=y2\' dep_1',
      '-H " * " -H \' * \' dep_1',
    ],
    ['in a sentence', 'The password is x1, in dep_1', 'The * in dep_1'],
    ['in a table', 'Password\tx1\tdep_1', '* dep_1'],
    ['on the next line', 'Password:\nx1\ndep_1', '* dep_1'],
    ['in German', 'Passwort: x1\ndep_1', '* dep_1'],
    ['in Chinese', '密码：x1 dep_1', '* dep_1'],
    ['without its closing quote', 'token="x1 y2\ndep_1', '* dep_1'],
    ['with curl', 'curl -u user:x1 dep_1', 'curl * dep_1'],
    ['behind Bearer', 'Bearer x1 dep_1', '* dep_1'],
    [
      'in a connection string in quotes',
      's = "User ID=me;Password=x1;"; dep_1',
      's = "User ID=me; * "; dep_1',
    ],
    [
      'in a URL of a setting for a key',
      'API_KEY_URL: https://host/x?apiKey=x1\nid: dep_1',
      '* id: dep_1',
    ],
    ['with special characters', 'env:\n  PASSWORD: x^1Ke&"2\nid: dep_1', 'env: * id: dep_1'],
  ] as const) {
    it(`is taken out ${what}`, () => assert.equal(left(text), expected));
  }

  for (const name of [
    'PASSWORD',
    'dbPasswd',
    'passphrase',
    'client-secret',
    'SECRET_KEY_BASE',
    'authtoken',
    'my.credentials',
  ]) {
    it(`is taken out behind ${name}`, () => assert.equal(left(`${name}=x1`), '*'));
  }
  for (const name of [
    'key',
    'apiKey',
    'API_KEY',
    'apikey',
    'primaryKey',
    'sshkey',
    'keys',
    'DB_PASS',
    'auth',
  ]) {
    it(`is taken out behind ${name}, which ends in a whole word for a secret`, () => {
      assert.equal(left(`${name}=x1`), '*');
    });
  }
  for (const name of [
    'monkey',
    'keyboard',
    'compass',
    'turkey',
    'secretary',
    'author',
    'tokenizer',
    'deploymentId',
  ]) {
    it(`is not suspected behind ${name}`, () => {
      assert.equal(left(`${name}=x1`), `${name}=x1`);
    });
  }

  for (const [what, text] of [
    ['where no value stands', 'DB_PASSWORD=\nENABLED=dep_1'],
    ['on the next line where a mapping begins', 'secrets:\n  name: dep_1'],
    ['on the next line where a list begins', 'keys:\n  - dep_1'],
    ['in a comparison', 'if (tokens>5) dep_1'],
    ['in a word that goes on', 'reset-password dep_1'],
    ['in a manifest of Kubernetes of another kind', 'data:\n  foo: dep_1\nkind: ConfigMap'],
  ] as const) {
    it(`is not suspected ${what}`, () => assert.equal(withoutNamedSecrets(text, '*'), text));
  }

  for (const kind of [
    'RSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ]) {
    const block = `-----BEGIN ${kind}-----\nabc\ndef\n`;

    it(`is a block with ${kind} up to its end`, () => {
      assert.equal(left(`${block}-----END ${kind}-----\ndep_1`), '* dep_1');
    });

    it(`is all of the rest when a block with ${kind} has no end`, () => {
      assert.equal(left(block), '*');
    });
  }

  it('is taken out whatever it is and wherever its name stands', () => {
    const name = fc.constantFrom('password', 'API_KEY', 'clientSecret', 'access-token', 'pwd');
    const unit = fc.constantFrom(...'aZ09!#%&*+.:;=?@^_~|-/\\,<>()[]{}'.split(''));
    const value = fc.string({ unit, minLength: 4, maxLength: 30 }).map((end) => `S3cr${end}`);
    const place = fc.constantFrom(
      (one: string, secret: string) => `${one}=${secret} dep_1`,
      (one: string, secret: string) => `x ${one}=${secret}\ndep_1`,
      (one: string, secret: string) => `${one}: ${secret}\ndep_1`,
      (one: string, secret: string) => `  - ${one}: ${secret}\n  - dep_1`,
      (one: string, secret: string) => `run --${one} ${secret} dep_1`,
      (one: string, secret: string) => `${one}\t${secret}\tdep_1`,
      inJson('{'),
      inJson('{ "id": "dep_2", '),
      inJson('\n  '),
    );
    fc.assert(
      fc.property(name, value, place, (one, secret, placed) => {
        const text = withoutNamedSecrets(placed(one, secret), '*');
        assert.doesNotMatch(text, /S3cr/);
        assert.match(text, /dep_1/);
      }),
      { numRuns: 3000 },
    );
  });

  for (const part of [
    'token=',
    'token=" ',
    'token=`\n',
    'token: |\n',
    'bearer ',
    '-----BEGIN PRIVATE KEY-----',
    'a',
    ' ',
    'token\t',
  ]) {
    it(`is searched for in time in 300 KB of ${JSON.stringify(part)}`, () => {
      withoutNamedSecrets(part.repeat(300_000 / part.length), '*');
    });
  }

  for (const word of ['dep_1', 'a b dep_1', 'password', 'Bearer']) {
    it(`is searched for in time in “${word}” and 300 KB of blanks`, () => {
      assert.equal(left(word + ' '.repeat(300_000)), word);
    });
  }

  it('is taken out of 700 blocks of YAML, each deeper than the last', () => {
    const lines = Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}secret: |`);
    assert.equal(left(`${lines.join('\n')}\ndep_1`), '* dep_1');
  });
});
