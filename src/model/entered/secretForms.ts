// The forms of well-known tokens, by who issues them. What a user chooses as an ID neither begins
// so nor goes on for so long. Where no documentation is named, the forms are those of gitleaks and
// of GitHub's secret scanning.

/** "About authentication to GitHub" on docs.github.com. */
const githubTokens = [
  // A personal access token (classic): "ghp_…".
  /ghp_[A-Za-z0-9]{8,}/,
  // Tokens of apps, of their users, and for refreshing these: "gho_…", "ghs_…".
  /gh[ousr]_[A-Za-z0-9]{20,}/,
  // A fine-grained personal access token: "github_pat_…".
  /github_pat_\w{8,}/,
];

/** "Token prefixes" on docs.gitlab.com/security/tokens. */
const gitlabTokens = [
  // A personal access token: "glpat-…".
  /glpat-[\w.-]{4,}/,
  // Tokens of apps, deployments, runners, jobs, and triggers: "gldt-…", "glcbt-…".
  /gl(?:oas|soat|dt|rt|cbt|ptt)-[\w.-]{20,}/,
];

/** docs.slack.dev/authentication/tokens. */
const slackTokens = [
  // "xoxb-…", and with rotation "xoxe.xoxp-…".
  /xox[a-z](?:\.xox[a-z])?-[\w-]{4,}/,
  // An app-level token: "xapp-1-…".
  /xapp-\d-[\w-]{4,}/,
  // The address of an incoming webhook holds its secret: "hooks.slack.com/services/T…".
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/\S/,
];

/**
 * The ID of an access key of a user, "AKIA…", or of a session, "ASIA…": "IAM identifiers" on
 * docs.aws.amazon.com.
 */
const awsKeyId = /A(?:KIA|SIA)[A-Z0-9]{12,}/;

/** docs.stripe.com/keys. */
const stripeTokens = [
  // A secret, restricted, or publishable key: "sk_live_…", "rk_test_…".
  /[srp]k_(?:live|test)_\w{4,}/,
  // The secret of a webhook: "whsec_…".
  /whsec_[\w+/=-]{8,}/,
];

const googleTokens = [
  // An API key: "AIza…".
  /AIza[\w-]{30,}/,
  // An access token: "ya29.…".
  /ya29\.[\w-]{8,}/,
  // The secret of an OAuth client: "GOCSPX-…".
  /GOCSPX-[\w-]{8,}/,
];

/**
 * RFC 7519: header and payload are JSON objects, and the base64url of `{"` before a letter begins
 * with "eyJ".
 */
const jsonWebToken = /eyJ[\w-]{8,500}\.eyJ[\w-]{2,}/;

const registryTokens = [
  // npm: "npm_…".
  /npm_[A-Za-z0-9]{30,}/,
  // PyPI: "pypi-AgE…".
  /pypi-AgE[\w-]{8,}/,
  // RubyGems: "rubygems_…".
  /rubygems_[a-f0-9]{16,}/,
  // Docker Hub: "dckr_pat_…".
  /dckr_(?:pat|oat)_[\w-]{8,}/,
];

const languageModelTokens = [
  // Hugging Face: "hf_…".
  /hf_[A-Za-z]{30,}/,
  // Anthropic: "sk-ant-api03-…".
  /sk-ant-[a-z]{3,8}\d\d-[\w-]{8,}/,
  // OpenAI: "sk-proj-…" with at least one capital letter and one digit.
  /sk-(?:proj|svcacct|admin)-(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}\d)[\w-]{12,}/,
  // OpenRouter: "sk-or-v1-…".
  /sk-or-v1-[a-f0-9]{16,}/,
  // OpenAI and others: "sk-…".
  /sk-[A-Za-z0-9]{32,}/,
  // Groq: "gsk_…".
  /gsk_[A-Za-z0-9]{30,}/,
  // xAI: "xai-…".
  /xai-[A-Za-z0-9]{40,}/,
];

const infrastructureTokens = [
  // DigitalOcean: "dop_v1_…".
  /do[por]_v1_[a-f0-9]{16,}/,
  // Databricks: "dapi…".
  /dapi[a-f0-9]{32}/,
  // HashiCorp Vault: "hvs.…".
  /hv[bsr]\.[\w-]{20,}/,
  // HCP Terraform: "….atlasv1.…".
  /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{16,}/,
  // Pulumi: "pul-…".
  /pul-[a-f0-9]{32,}/,
  // Supabase: "sbp_…", "sb_secret_…".
  /sbp_[a-f0-9]{16,}/,
  /sb_secret_[\w-]{16,}/,
  // PlanetScale: "pscale_tkn_…".
  /pscale_(?:tkn|pw|oauth)_[\w.-]{16,}/,
  // Tailscale: "tskey-auth-…".
  /tskey-[a-z]{1,20}-[\w-]{8,}/,
  // A service account of 1Password: "ops_eyJ…".
  /ops_eyJ[\w-]{16,}/,
  // A private key of age: "AGE-SECRET-KEY-1…".
  /AGE-SECRET-KEY-1[A-Z0-9]{16,}/,
];

const messagingTokens = [
  // SendGrid: "SG.….…".
  /SG\.[\w-]{12,200}\.[\w-]{12,}/,
  // Mailgun: "key-…".
  /key-[a-f0-9]{32}/,
  // Twilio: "SK…".
  /SK[a-f0-9]{32}/,
  // A bot of Telegram: "123456:AA…".
  /\d{6,12}:AA[\w-]{30,}/,
  // The address of a webhook of Discord: "discord.com/api/webhooks/1…".
  /discord(?:app)?\.com\/api\/webhooks\/\S/,
];

const shopTokens = [
  // Shopify: "shpat_…".
  /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}/,
  // Square: "sq0atp-…", "EAAA…".
  /sq0[a-z]{3}-[\w-]{16,}/,
  /EAAA[\w-]{50,}/,
];

const planningTokens = [
  // Atlassian: "ATATT3…".
  /AT(?:ATT3|CTT3)[\w=-]{16,}/,
  // Bitbucket: "ATBB…".
  /ATBB[A-Za-z0-9]{20,}/,
  // Linear: "lin_api_…".
  /lin_(?:api|oauth)_[A-Za-z0-9]{16,}/,
  // Notion: "ntn_…", formerly "secret_…".
  /(?:ntn|secret)_[A-Za-z0-9]{40,}/,
  // Airtable: "pat….…".
  /pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/,
  // Postman: "PMAK-…".
  /PMAK-[a-f0-9]{16,}/,
  // Figma: "figd_…".
  /figd_[\w-]{20,}/,
];

const monitoringTokens = [
  // Grafana: "glsa_…", "glc_eyJ…".
  /gl(?:sa_[A-Za-z0-9]{16,}|c_eyJ[\w+/=-]{8,})/,
  // Sentry: "sntrys_eyJ…", "sntryu_…".
  /sntry(?:s_eyJ|u_[a-f0-9])[\w+/=-]{16,}/,
  // PostHog: "phx_…".
  /phx_[A-Za-z0-9]{30,}/,
  // New Relic: "NRAK-…".
  /NRAK-[A-Z0-9]{16,}/,
];

const tokenForms: readonly RegExp[] = [
  ...githubTokens,
  ...gitlabTokens,
  ...slackTokens,
  awsKeyId,
  ...stripeTokens,
  ...googleTokens,
  jsonWebToken,
  ...registryTokens,
  ...languageModelTokens,
  ...infrastructureTokens,
  ...messagingTokens,
  ...shopTokens,
  ...planningTokens,
  ...monitoringTokens,
];

/**
 * What only looks like the beginning of a token is a part of another word if a letter or digit
 * stands before it.
 */
const notInsideWord = '(?<![A-Za-z0-9])';

const anyToken = new RegExp(
  `${notInsideWord}(?:${tokenForms.map((form) => form.source).join('|')})`,
);
const anyAwsKeyId = new RegExp(`${notInsideWord}${awsKeyId.source}`);

/**
 * The secret that belongs to the ID of an AWS access key: 40 characters of base64, and nothing
 * else.
 */
const awsSecretKey = /(?<![\w+/])[\w+/]{40}(?![\w+/])/;

/** "user:password@host". The text after the colon of "scheme://host" is no password. */
const userInfo = /^[^\s:@/]*:(?!\/\/)[^\s@]+@./;

/**
 * "https://user:password@host". A colon and digits before the path are a port:
 * "https://host:8080/@ann".
 */
const userInfoInUrl = /:\/\/[^\s:@/]*:(?!\d{1,5}[/?#])[^\s@]{1,200}@./;

/**
 * Whether a word without white space holds a well-known token, or a password before the name of a
 * host.
 */
export function looksSecret(word: string): boolean {
  return anyToken.test(word) || userInfo.test(word) || userInfoInUrl.test(word);
}

/**
 * Returns a function that tests whether a word of this text looks secret. Nothing marks the secret
 * key of AWS, so any 40 characters of base64 count as one if the text also has the ID of an AWS
 * access key.
 */
export function secretTestFor(text: string): (word: string) => boolean {
  const hasAwsKeyId = anyAwsKeyId.test(text);
  return (word) => looksSecret(word) || (hasAwsKeyId && awsSecretKey.test(word));
}
