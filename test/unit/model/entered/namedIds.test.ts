import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { KnownSecrets } from '../../../../src/api/secrets.js';
import { namedIds } from '../../../../src/model/entered/namedIds.js';
import { looksSecret } from '../../../../src/model/entered/secretForms.js';

const secret = 'tok-1234567890,0987654321';

function found(text: string, file = 'a.ts', secrets: readonly string[] = []): readonly string[] {
  const known = new KnownSecrets();
  for (const one of secrets) known.add(one);
  return namedIds(text, file, (one) => known.redact(one)).map(({ id, line }) => `${line} ${id}`);
}

/** The file, its text, and what is found: lines and IDs. */
type Row = readonly [file: string, text: string, expected?: string];

const groups: Readonly<Record<string, readonly Row[]>> = {
  JSON: [
    [
      'a.json',
      '{\r\n  "deploymentId":"dep_1",\r\n  "deployment-id" : "dep_2" }',
      '2 dep_1, 3 dep_2',
    ],
    ['a.json', '{ "deploymentId":\n\n    "dep_1" }', '3 dep_1'],
    ['a.json', '{ "deploymentId": 12345, "deployment_id": 0, "DEPLOYMENT_ID": 1.5 }', '1 12345'],
    [
      'a.json',
      '{ "deploymentId": "acme\\/orders", "deployment_id": "d\\u00e9p" }',
      '1 acme/orders, 1 dép',
    ],
    [
      'a.json',
      '{ "deploymentId": "prod.billing" }, { "deploymentId": "デプロイ/1" }',
      '1 prod.billing, 1 デプロイ/1',
    ],
    ['a.json', '{ "deploymentId": "a\'b", "deployment_id": "a b" }', "1 a'b, 1 a b"],
    ['a.json', `{ "deploymentId": "${'x'.repeat(1000)}" }`, `1 ${'x'.repeat(1000)}`],
    ['a.json', `{ "deploymentId": "${'x'.repeat(1001)}" }`],
    [
      'a.json',
      '{ "deploymentId": "dep\\n1", "deployment_id": "..", "DEPLOYMENT_ID": "" , "x": "dep_1" }',
    ],
    [
      'a.jsonc',
      '{ "deploymentId": /* nightly */ "dep_1", // "x"\n "deployment_id": // EMEA\n "dep_2" }',
      '1 dep_1, 3 dep_2',
    ],
    [
      'a.json',
      '{ "name": "DEPLOYMENT_ID", "value": "dep_1" }, { "Key": "deploymentId",\n "Value": "dep_2" }',
      '1 dep_1, 2 dep_2',
    ],
    ['a.json', '"deploymentId": { "type": "string", "default": "dep_1" }', '1 dep_1'],
    ['a.json', '"deploymentId": { "type": "string", "description": "Which." }'],
    [
      'a.json',
      '["--deployment-id", "dep_1", "--deployment-id=dep_2", "DEPLOYMENT_ID=dep_3"]',
      '1 dep_1, 1 dep_2, 1 dep_3',
    ],
    ['a.json', '"run": "curl https://x.example/?a=1&deploymentId=dep%2F1&b=2"', '1 dep/1'],
    [
      'a.json',
      '"body": "{\\"deploymentId\\": \\"dep_1\\",\\n\\"deployment_id\\":\\n\\"dep_2\\"}"',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.json',
      '"deploymentId": "{ \\"deploymentId\\": \\"dep_1\\" }", "deployment_id": "\\"deploymentId\\": \\"dep_2\\""',
      '1 dep_1, 1 dep_2',
    ],
  ],
  YAML: [
    [
      'a.yaml',
      'a: { deploymentId: dep_1 } # x\n- deployment_id: dep_2\n\ndeploymentId: c.',
      '1 dep_1, 2 dep_2, 4 c',
    ],
    [
      'a.yaml',
      'deploymentId: >-\n  dep_1\ndeployment_id: | # why\n  dep_2\n\nnext: 1',
      '2 dep_1, 4 dep_2',
    ],
    ['a.yaml', 'deploymentId: >-\n  one\n  two\nnext: 1'],
    ['a.yaml', 'deploymentId:\n  dep_1\nnext: 1', '2 dep_1'],
    ['a.yaml', 'deploymentId: # EMEA\n  dep_1', '2 dep_1'],
    [
      'a.yaml',
      '- deploymentId:\n    "dep_1"\n- "deployment_id": \'dep_2\' # x',
      '2 dep_1, 3 dep_2',
    ],
    [
      'a.yaml',
      'deploymentId:\nnext: dep_1\ndeploymentId:\n"next": dep_1\ndeploymentId:\n  type: x\ndeploymentId:\n  - dep_1',
    ],
    [
      'a.yaml',
      'deploymentId: acme/orders\ndeployment_id: 0012\nDEPLOYMENT_ID: prod:billing',
      '1 acme/orders, 2 0012, 3 prod:billing',
    ],
    [
      'a.yaml',
      'deploymentId: !!str dep_1\ndeploymentId: &anchor dep_2\ndeploymentId: !Ref Dep\ndeploymentId: *anchor',
      '1 dep_1, 2 dep_2',
    ],
    [
      'k8s.yaml',
      '- name: DEPLOYMENT_ID\n  value: dep_1\n- name: DEPLOYMENT_ID\n  valueFrom: x\n- name: OTHER\n  value: y',
      '2 dep_1',
    ],
    [
      'a.yml',
      'inputs:\n  deployment_id:\n    description: The ID, as shown.\n    required: true\n    default: dep_1\n  region:\n    default: eu',
      '5 dep_1',
    ],
    [
      'a.yaml',
      'args:\n  - --deployment-id\n  - dep_1\n  - "--deployment-id"\n  - "dep_2"\n  - DEPLOYMENT_ID=dep_3',
      '3 dep_1, 5 dep_2, 6 dep_3',
    ],
    ['values.yaml.tmpl', 'deploymentId: dep_1\ndeployment_id: {{ .Values.id }}', '1 dep_1'],
    ['a.yaml', 'type: bearer\ndeploymentId: dep_1', '2 dep_1'],
    [
      'a.yaml',
      'deploymentId: the ID of a deployment\ndeploymentId: string\ndeploymentId: null\ndeploymentId: ~',
    ],
  ],
  code: [
    [
      'a.ts',
      'deploymentId: "dep_1", deployment_id = \'dep.2\'\nDEPLOYMENT_ID=`dep-3`',
      '1 dep_1, 1 dep.2, 2 dep-3',
    ],
    ['a.ts', "deploymentId:\n    'dep_1',\nconst deploymentId =\n  'dep_2';", '2 dep_1, 4 dep_2'],
    [
      'a.ts',
      'const deploymentId: string = "dep_1"; let deploymentId: string | undefined = "dep_2"',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.ts',
      'deploymentId?: string; x.deploymentId ??= "dep_1"; deploymentId || "dep_2"',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.ts',
      'process.env["DEPLOYMENT_ID"] ?? "dep_1"; process.env.DEPLOYMENT_ID = "dep_2"',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.ts',
      'if (deploymentId === "dep_1" || typeof deploymentId !== "string") x(deploymentId == null)',
      '1 dep_1',
    ],
    [
      'a.ts',
      'deploymentId: id, deploymentId = config.id; deploymentId: string; deploymentId = 3 * x; deploymentId = 12345;',
      '1 12345',
    ],
    [
      'a.ts',
      'deploymentId = "dep_" + x; deploymentId = `dep_${x}`; deploymentId: "dep_".concat(x)\ndeploymentId: "dep_"\n  + x',
    ],
    [
      'a.ts',
      '"deploymentId: " + id + " is"; \'?deploymentId=\' + id + \'&x=\'; `deploymentId: ${id}`; "deploymentId=" + id + "x"',
    ],
    ['a.ts', 'x = { [deploymentId]: "Billing", key: deploymentId, value: "Billing" }'],
    [
      'a.tsx',
      '<Flow deploymentId="dep_1" /> <Flow deploymentId={"dep_2"} /> <Flow deploymentId={id} />',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.vue',
      '<flow :deployment-id="id" v-bind:deployment-id="id" deployment-id="dep_1" /> <b [deploymentId]="id">',
      '1 dep_1',
    ],
    [
      'a.py',
      'deployment_id: str = "dep_1"\ndef f(deployment_id: str | None = "dep_2"): pass',
      '1 dep_1, 2 dep_2',
    ],
    [
      'a.py',
      'os.environ["DEPLOYMENT_ID"] = "dep_1"\nos.environ.setdefault("DEPLOYMENT_ID", "dep_2")',
      '1 dep_1, 2 dep_2',
    ],
    [
      'a.py',
      'deployment_id = """dep_1"""\ndeployment_id = f"dep_{x}"\ndeployment_id = r"dep_2"\ndeployment_id = ("dep"\n  "_3")',
      '1 dep_1, 3 dep_2',
    ],
    [
      'a.py',
      'p.add_argument("--deployment-id", type=str, default="dep_1")\np.add_argument("--deployment-id", help="The ID of it")',
      '1 dep_1',
    ],
    [
      'a.py',
      'os.environ.get("DEPLOYMENT_ID") or "dep_1"\nif deployment_id == "dep_2":\n  x',
      '1 dep_1, 2 dep_2',
    ],
    [
      'a.py',
      'deployment_id = "dep_%s" % x\ndeployment_id = "dep_{}".format(x)\ndeployment_id = other',
    ],
    [
      'a.go',
      'deploymentId := "dep_1"\nvar deploymentId string = "dep_2"\nos.Setenv("DEPLOYMENT_ID", "dep_3")',
      '1 dep_1, 2 dep_2, 3 dep_3',
    ],
    [
      'a.rs',
      'const DEPLOYMENT_ID: &\'static str = "dep_1";\nlet deployment_id = String::from("dep_2");\ndeployment_id: "dep_3".to_string()',
      '1 dep_1, 2 dep_2, 3 dep_3',
    ],
    ['a.rs', '.arg("--deployment-id").arg("dep_1")', '1 dep_1'],
    [
      'a.rb',
      ':deployment_id => "dep_1", deployment_id: \'dep_2\', ENV["DEPLOYMENT_ID"] ||= "dep_3"',
      '1 dep_1, 1 dep_2, 1 dep_3',
    ],
    ['a.rb', 'deployment_id: "dep_#{x}"'],
    [
      'a.php',
      "'deploymentId' => 'dep_1'; $deploymentId = 'dep_2'; define('DEPLOYMENT_ID', 'dep_3'); $this->deploymentId = 'dep_4'",
      '1 dep_1, 1 dep_2, 1 dep_3, 1 dep_4',
    ],
    ['a.php', "$deploymentId = 'dep_' . $x; echo '?deploymentId='.$x.'&'"],
    [
      'a.kt',
      '"deploymentId" to "dep_1"; val deploymentId: String = "dep_2"; map.put("deploymentId", "dep_3")',
      '1 dep_1, 1 dep_2, 1 dep_3',
    ],
    [
      'a.cs',
      'string deploymentId = @"dep_1"; new Deployment { deploymentId = new DeploymentId("dep_2") }',
      '1 dep_1, 1 dep_2',
    ],
    ['a.c', '#define DEPLOYMENT_ID "dep_1"', '1 dep_1'],
    ['a.sql', "where deployment_id = 'dep_1' or deployment_id <> 'x'", '1 dep_1'],
    [
      'a.tf',
      'deployment_id = "dep_1"\nvariable "deployment_id" {\n  type    = string\n  default = "dep_2"\n}\ndeployment_id = var.deployment_id',
      '1 dep_1, 4 dep_2',
    ],
    [
      'a.ps1',
      '$deploymentId = "dep_1"; $env:DEPLOYMENT_ID="dep_2"; Get-Flow -deploymentId dep_3; $deploymentId -eq \'dep_4\'',
      '1 dep_1, 1 dep_2, 1 dep_3, 1 dep_4',
    ],
    [
      'a.graphql',
      'query($deploymentId: ID = "dep_1") { flow(deploymentId: "dep_2", deployment_id: $deploymentId) }',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.ts',
      'myDeploymentId: "a", my-deployment-id: "b", deploymentIds: "c", deployment_id_2: "d", deploymentid: "e"',
    ],
    ['run', '#!/usr/bin/env python3\ndeployment_id = name'],
  ],
  notebooks: [
    [
      'a.ipynb',
      '"source": ["deployment_id = \\"dep_1\\"\\n",\n "x\\ndeployment_id = \'dep_2\'\\n"]',
      '1 dep_1, 2 dep_2',
    ],
    [
      'a.ipynb',
      '"!deploy --deployment-id dep_1\\n", "%env DEPLOYMENT_ID=dep_2\\n", "deployment_id = other\\n"',
      '1 dep_1, 1 dep_2',
    ],
  ],
  'shell, make and Docker': [
    [
      'a.sh',
      'run --deployment-id=dep_1; DEPLOYMENT_ID=dep_2 && DEPLOYMENT_ID=billing ./run',
      '1 dep_1, 1 dep_2, 1 billing',
    ],
    [
      'a.sh',
      'export DEPLOYMENT_ID="dep_1"\nrun --deployment-id dep_2 --x\nrun --deployment-id \\\n  dep_3',
      '1 dep_1, 2 dep_2, 4 dep_3',
    ],
    [
      'a.sh',
      'DEPLOYMENT_ID=$1; DEPLOYMENT_ID="$X"; DEPLOYMENT_ID=$(id); DEPLOYMENT_ID=dep_$X; ${DEPLOYMENT_ID:-dep_1}; --deployment-id "$X"',
    ],
    [
      'a.sh',
      '[ "$DEPLOYMENT_ID" = "dep_1" ] || [[ $DEPLOYMENT_ID == "dep_2" ]]',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.bat',
      'set DEPLOYMENT_ID=dep_1\r\nrun %DEPLOYMENT_ID%\r\nset DEPLOYMENT_ID=%1\r\nset DEPLOYMENT_ID=%ID%',
      '1 dep_1',
    ],
    ['a.fish', 'set -x DEPLOYMENT_ID dep_1', '1 dep_1'],
    [
      'Makefile',
      'DEPLOYMENT_ID := dep_1\nDEPLOYMENT_ID ?= dep_2\nDEPLOYMENT_ID = $(ID)\nx: ; run -e DEPLOYMENT_ID=dep_3',
      '1 dep_1, 2 dep_2, 4 dep_3',
    ],
    [
      'Dockerfile',
      'ENV DEPLOYMENT_ID=dep_1\nENV DEPLOYMENT_ID dep_2\nARG DEPLOYMENT_ID=dep_3\nENV DEPLOYMENT_ID=${X}',
      '1 dep_1, 2 dep_2, 3 dep_3',
    ],
    [
      'a.js',
      'exec("docker run -e DEPLOYMENT_ID=dep_1 image --deployment-id dep_2")',
      '1 dep_1, 1 dep_2',
    ],
    [
      'a.service',
      'Environment="DEPLOYMENT_ID=dep_1"\nExecStart=java -DdeploymentId=dep_2 -jar x',
      '1 dep_1, 2 dep_2',
    ],
    [
      'a.properties',
      'deploymentId=dep_1\ndeployment-id: dep_2\ndeploymentId=\nnext=dep_3\nx.deploymentId = dep_4',
      '1 dep_1, 2 dep_2, 5 dep_4',
    ],
    [
      'a.log',
      '12:00 deploymentId=dep_1 status=failed\n12:01 "deployment_id":"dep_2"',
      '1 dep_1, 2 dep_2',
    ],
  ],
  'XML, HTTP and prose': [
    [
      'a.xml',
      '<deploymentId>dep_1</deploymentId>\n<x:deploymentId type="s">\n  dep_2\n</x:deploymentId><deploymentId/>',
      '1 dep_1, 3 dep_2',
    ],
    [
      'a.xml',
      '<deploymentId><![CDATA[dep_1]]></deploymentId><deploymentId>a&amp;b</deploymentId><deploymentId>&lt;id&gt;</deploymentId>',
      '1 dep_1, 1 a&b',
    ],
    [
      'a.config',
      '<add key="deploymentId" value="dep_1"/>\n<entry key="deploymentId">dep_2</entry>\n<flow deploymentId=\'dep_3\'/>',
      '1 dep_1, 2 dep_2, 3 dep_3',
    ],
    [
      'a.resx',
      '<data name="deploymentId" xml:space="preserve">\n  <value>dep_1</value></data><i name="deploymentId"/>x</i>',
      '2 dep_1',
    ],
    [
      'a.html',
      '<input name="deploymentId" value="dep_1">x</p><meta name="deployment-id" content="dep_2">',
      '1 dep_1, 1 dep_2',
    ],
    ['a.patch', '-  deploymentId: "dep_1"\n+  deploymentId: "dep_2"', '1 dep_1, 2 dep_2'],
    [
      'a.tsx',
      '<Flow\n  deploymentId={\n    "dep_1"\n  }\n/>; deploymentId = (\n  "dep_2"\n)',
      '3 dep_1, 6 dep_2',
    ],
    ['Dockerfile.staging', 'ENV DEPLOYMENT_ID=dep_1', '1 dep_1'],
    ['a.swift', 'let deploymentId: String = "dep_1"\nlet deploymentId = other', '1 dep_1'],
    [
      'a.toml',
      'deployment_id = \'dep_1\' # x\n[env]\nDEPLOYMENT_ID = """dep_2"""',
      '1 dep_1, 3 dep_2',
    ],
    ['a.strings', '"deploymentId" = "dep_1";', '1 dep_1'],
    ['a.plist', '<key>deploymentId</key>\n<string>dep_1</string>', '2 dep_1'],
    [
      'a.html',
      '<a href="/x?deploymentId=dep_1&amp;deployment_id=dep_2"> <i data-x="{&quot;deploymentId&quot;:&quot;dep_3&quot;}">',
      '1 dep_1, 1 dep_2, 1 dep_3',
    ],
    [
      'a.http',
      'GET /flows?deploymentId=dep_1 HTTP/1.1\ndeployment-id: dep_2\n\n{ "deploymentId": "dep_3" }\n@deploymentId = dep_4',
      '1 dep_1, 2 dep_2, 4 dep_3, 5 dep_4',
    ],
    [
      'a.http',
      'GET /?deploymentId={{id}}\nGET /?deploymentId=<id>\nGET /?deploymentId=$ID&x\nGET /?deploymentId=%s',
    ],
    [
      'a.md',
      '`https://x.example/?next=%2Fa%3FdeploymentId%3Ddep_1%26x` and `deploymentId`: `dep_2`, **deploymentId**: dep_3',
      '1 dep_1, 1 dep_2, 1 dep_3',
    ],
    [
      'a.md',
      'Use --deployment-id to choose one.\ndeploymentId: human readable name\n- `deploymentId`: required\n`--deployment-id <id>`',
    ],
    ['a.md', '<deploymentId> and more </p>, GET /deployments/<deploymentId>'],
    ['a.csv', 'deploymentId,status\ndep_1,ok'],
  ],
  'compound values': [
    ['a.ts', "const deploymentId =\n  'dep_nightly_' +\n  region;"],
    ['A.java', 'String deploymentId = "dep_" + // the region\n  env;'],
    ['a.php', '$deploymentId = "dep_" .\n  $env;'],
    ['a.py', 'deployment_id = "dep_" \\\n  "b"'],
    [
      'a.yaml',
      'deploymentId: Invoice 2 EMEA # x\ndeploymentId: billing,emea',
      '1 Invoice 2 EMEA, 2 billing,emea',
    ],
    [
      'a.yaml',
      "deploymentId: 2026 invoices\ndeploymentId: a|b\ndeploymentId: O'Brien",
      '1 2026 invoices, 2 a|b',
    ],
    [
      'a.ini',
      'deploymentId = R&D\ndeploymentId = a|b\ndeploymentId = x;y\ndeploymentId = dep_<env>',
    ],
    [
      'a.ini',
      'deploymentId = billing,emea\ndeploymentId = dep_1, other\ndeploymentId = dep_2;x=1',
      '2 dep_1, 3 dep_2',
    ],
    ['a.yaml', 'deploymentId: team=42', '1 team=42'],
    ['a.ini', 'deploymentId: team=42'],
    ['a.sh', 'DEPLOYMENT_ID=dep"_1"\nDEPLOYMENT_ID=dep\\ 1\nDEPLOYMENT_ID=dep_3 run', '3 dep_3'],
    ['a.sh', 'DEPLOYMENT_ID=`cat id.txt`\nDEPLOYMENT_ID="`get-id`"'],
    ['Makefile', 'DEPLOYMENT_ID := `cat id.txt`'],
    ['a.md', 'deploymentId: `dep_1`', '1 dep_1'],
  ],
  'other values': [
    [
      'a.yaml',
      'deploymentId: ${DEP}\ndeploymentId: "${DEP}"\ndeploymentId: <your-id>\ndeploymentId: {{ id }}\ndeploymentId: "{{ id }}"',
    ],
    [
      'a.yaml',
      'deploymentId: "<your id>"\ndeploymentId: "$DEP"\ndeploymentId: "%DEP%"\ndeploymentId: %DEP%\ndeploymentId: "{id}"',
    ],
    [
      'a.yaml',
      'deploymentId: "string"\ndeploymentId: Number\ndeploymentId: "null"\ndeploymentId: deployment_id\ndeploymentId: "..."',
    ],
    [
      'a.yaml',
      'deploymentId: https://dash.example/dep_1\ndeploymentId: "https://dash.example/dep_1"',
    ],
    [
      'a.yaml',
      'deploymentId: Bearer abc\ndeploymentId: "Bearer abc"\nauth: Bearer deploymentId=abc',
    ],
    ['a.json', '"deploymentId": "", "name": "x", "deployment_id": null, "DEPLOYMENT_ID": true'],
  ],
};

function filled(shape: string, name: string, value: string): string {
  return shape.replaceAll('NAME', () => name).replace('VALUE', () => value);
}

/** How often `namedIds()` redacts this text. */
function redactionCount(text: string): number {
  let count = 0;
  const redact = (one: string) => {
    count += 1;
    return one;
  };
  namedIds(text, 'a.yaml', redact);
  return count;
}

describe('IDs of deployments', () => {
  for (const [group, rows] of Object.entries(groups)) {
    describe(`in ${group}`, () => {
      for (const [file, text, expected = ''] of rows) {
        const title = `are ${expected === '' ? 'none' : 'found'} in ${file}: ${JSON.stringify(text)}`;
        it(title.slice(0, 50), () => {
          const ids = found(text, file).join(', ');
          assert.equal(ids, expected, `${file}: ${text}`);
        });
      }
    });
  }

  const files = fc.constantFrom('a.yaml', 'a.ts', 'a.sh', 'Makefile', 'a.xml', 'a.md', 'a.ipynb');
  const names = fc.constantFrom('deploymentId', 'deployment_id', 'DEPLOYMENT_ID', 'deployment-id');
  const shapes = fc.constantFrom(
    '"NAME": "VALUE"',
    "NAME: 'VALUE'",
    'NAME = "VALUE"',
    'NAME:\n  "VALUE"',
    'x.NAME = `VALUE`',
    'env["NAME"] = "VALUE"',
    '{ "name": "NAME", "value": "VALUE" }',
    'set("NAME", "VALUE")',
    'NAME := "VALUE"',
    '"NAME" => "VALUE"',
    'NAME === "VALUE"',
    '--NAME "VALUE"',
    '<x NAME="VALUE"/>',
    '"\\"NAME\\": \\"VALUE\\""',
  );
  const bareShapes = fc.constantFrom(
    'NAME: VALUE',
    'NAME=VALUE',
    'NAME: >-\n  VALUE',
    'NAME:\n  VALUE',
    '--NAME VALUE',
    '--NAME=VALUE',
    '?NAME=VALUE',
    '<NAME>VALUE</NAME>',
    'ENV NAME VALUE',
    '- name: NAME\n  value: VALUE',
    '"NAME=VALUE"',
  );
  it('are found in quotes when Add accepts them', () => {
    // Neither quotes nor what stands for another text, nor what looks like a password before a host.
    const characters = fc.constantFrom(...Array.from('abcXYZ019._/-:@~^= éß日本デ한😀'));
    const ids = fc
      .string({ unit: characters, minLength: 1, maxLength: 40 })
      .map((rest) => `d${rest}1`);
    fc.assert(
      fc.property(files, names, shapes, ids, (file, name, shape, id) => {
        fc.pre(
          !id.includes('://') && !looksSecret(id) && !(/sh$|^M/.test(file) && shape.includes('`')),
        );
        const text = `first\n${filled(shape, name, id)}\n`;
        const line = text.slice(0, text.indexOf(id)).split('\n').length;
        assert.deepEqual(found(text, file), [`${line} ${id}`], `${file}: ${text}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('are never placeholders, types, or tokens', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/);
    const values = fc.oneof(
      word.map((name) => `\${${name}}`),
      word.map((name) => `dep_\${${name}}`),
      word.map((name) => `\${${name}}_dep`),
      word.map((name) => `$${name}`),
      word.map((name) => `{{${name}}}`),
      word.map((name) => `{{ ${name} }}`),
      word.map((name) => `<${name}>`),
      word.map((name) => `%${name}%`),
      word.map((name) => `{${name}}`),
      word.map((name) => `Bearer ${name}`),
      word.map((name) => `$(${name})`),
      word.map((name) => `#{${name}}`),
      fc.stringMatching(
        /^(?:ghp_[A-Za-z0-9]{36}|xoxb-[0-9]{11}-[A-Za-z0-9]{24}|AKIA[A-Z0-9]{16}|sk_live_[a-z0-9]{24})$/,
      ),
      fc.constantFrom(
        'null',
        'true',
        'false',
        'string',
        'str',
        'number',
        'undefined',
        'None',
        'nil',
        'int',
        'uuid',
      ),
    );
    fc.assert(
      fc.property(
        files,
        names,
        fc.oneof(shapes, bareShapes),
        values,
        (file, name, shape, value) => {
          const text = filled(shape, name, value);
          assert.deepEqual(found(text, file), [], `${file}: ${text}`);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('never hold or touch a known token', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ': ',
        '=',
        '"',
        "'",
        '\n',
        ' ',
        'dep_1',
        'x',
        '.',
        '<',
        '>',
        '--',
        '?',
        '&',
        '\\',
        '(',
        ',',
        ')',
      ),
      fc.constantFrom('deploymentId', 'deploymentId', 'deployment-id', secret, 'tok12345.6789'),
      fc
        .tuple(
          names,
          fc.oneof(shapes, bareShapes),
          fc.constantFrom(secret, `x${secret}`, 'tok12345.6789-y', 'dep_1'),
        )
        .map(([name, shape, value]) => filled(shape, name, value)),
    );
    fc.assert(
      fc.property(files, fc.array(part, { maxLength: 12 }), (file, parts) => {
        const text = parts.join('');
        // An ID has no backslash of an escaped quote.
        const tokens = [secret, 'tok12345.6789', '"x"dep_1'];
        const without = tokens
          .reduce((rest, one) => rest.replaceAll(one, '\0'), text)
          .replaceAll(/\\(?=["'`])/g, '')
          .split('\n');
        for (const entry of found(text, file, tokens)) {
          const [, line = '', id = ''] = /^(\d+) ([^]*)$/.exec(entry)!;
          const at = without[Number(line) - 1]?.split(id) ?? [];
          const isApart = at.some(
            (before, index) =>
              index < at.length - 1 && !/\0\w*$/.test(before) && !/^\w*\0/.test(at[index + 1]!),
          );
          assert.equal(isApart, true, `${JSON.stringify(text)}: ${entry}`);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('are searched for in a text that is redacted only once', () => {
    assert.equal(redactionCount('deploymentId: a\n'.repeat(1000)), 1);
  });

  it('need no redaction of a text without their names', () => {
    assert.equal(redactionCount('id: a\n'.repeat(1000)), 0);
  });

  const chars = 1_000_000;
  for (const text of [
    `deploymentId${' '.repeat(chars)}`,
    `deploymentId:${'\n'.repeat(chars)}`,
    ...[
      'deploymentId: ',
      'deploymentId:\n',
      '# deploymentId:\n',
      '/* deploymentId: */',
      'deploymentId: "',
      '"deploymentId',
      'deploymentId: \\"',
      '<deploymentId>',
      '<deploymentId ',
      '--deployment-id ',
      'deploymentId: >-\n  ',
      '-deployment-id:\n- ',
      '{{ deploymentId: ',
      'bearer deploymentId',
      'name: deploymentId, ',
      'deploymentId: type: ',
      `deploymentId:${' '.repeat(1000)}`,
      '?deploymentId=',
      'deploymentId: string |',
      `deploymentId: "${'x'.repeat(1000)}`,
      `<deploymentId>${' '.repeat(1000)}`,
      'deploymentId=[redacted]',
      'deploymentId: dep_1\n',
      '"deploymentId", ',
      `deploymentId: ${'\\'.repeat(50)}`,
    ].map((part) => part.repeat(Math.ceil(chars / part.length))),
    `deploymentId: ${'x'.repeat(chars)}`,
    `deploymentId: ${'\\'.repeat(chars)}"`,
    `deploymentId: type: ${'x,'.repeat(chars / 2)}`,
  ]) {
    it(`are searched for in time in 1 MB of ${JSON.stringify(text.slice(0, 24))}`, () => {
      for (const file of ['a.yaml', 'a.ts']) found(text, file);
    });
  }
});
