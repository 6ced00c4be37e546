/**
 * How well-known tokens look. What a person chooses as an ID neither begins so nor goes on for so
 * long.
 */
const tokenForms = [
  // GitHub: docs.github.com, "About authentication to GitHub", token formats.
  /ghp_[A-Za-z0-9]{8,}/,
  /gh[ousr]_[A-Za-z0-9]{20,}/,
  /github_pat_\w{8,}/,
  // GitLab: docs.gitlab.com/security/tokens, token prefixes.
  /glpat-[\w.-]{4,}/,
  /gl(?:oas|soat|dt|rt|cbt|ptt)-[\w.-]{20,}/,
  // Slack: docs.slack.dev/authentication/tokens, and its incoming webhooks.
  /xox[a-z](?:\.xox[a-z])?-[\w-]{4,}/,
  /xapp-\d-[\w-]{4,}/,
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/\S/,
  // AWS: docs.aws.amazon.com/IAM, unique identifiers: the IDs of the access keys of users and of sessions.
  /A(?:KIA|SIA)[A-Z0-9]{12,}/,
  // Stripe: docs.stripe.com/keys, and its webhooks.
  /[srp]k_(?:live|test)_\w{4,}/,
  /whsec_[\w+/=-]{8,}/,
  // Google: API keys, access tokens, client secrets.
  /AIza[\w-]{30,}/,
  /ya29\.[\w-]{8,}/,
  /GOCSPX-[\w-]{8,}/,
  // JSON Web Tokens (RFC 7519): the base64url of `{"`, twice.
  /eyJ[\w-]{8,500}\.eyJ[\w-]{2,}/,
  // The rest as in the rules of gitleaks and the patterns of GitHub's secret scanning. Registries:
  /npm_[A-Za-z0-9]{30,}/,
  /pypi-AgE[\w-]{8,}/,
  /rubygems_[a-f0-9]{16,}/,
  /dckr_(?:pat|oat)_[\w-]{8,}/,
  // Models:
  /hf_[A-Za-z]{30,}/,
  /sk-ant-[a-z]{3,8}\d\d-[\w-]{8,}/,
  /sk-(?:proj|svcacct|admin)-(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}\d)[\w-]{12,}/,
  /sk-or-v1-[a-f0-9]{16,}/,
  /sk-[A-Za-z0-9]{32,}/,
  /gsk_[A-Za-z0-9]{30,}/,
  /xai-[A-Za-z0-9]{40,}/,
  // Clouds, databases, infrastructure:
  /do[por]_v1_[a-f0-9]{16,}/,
  /dapi[a-f0-9]{32}/,
  /hv[bsr]\.[\w-]{20,}/,
  /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{16,}/,
  /pul-[a-f0-9]{32,}/,
  /sbp_[a-f0-9]{16,}/,
  /sb_secret_[\w-]{16,}/,
  /pscale_(?:tkn|pw|oauth)_[\w.-]{16,}/,
  /tskey-[a-z]{1,20}-[\w-]{8,}/,
  /ops_eyJ[\w-]{16,}/,
  /AGE-SECRET-KEY-1[A-Z0-9]{16,}/,
  // Mail, telephone, chat:
  /SG\.[\w-]{12,200}\.[\w-]{12,}/,
  /key-[a-f0-9]{32}/,
  /SK[a-f0-9]{32}/,
  /\d{6,12}:AA[\w-]{30,}/,
  /discord(?:app)?\.com\/api\/webhooks\/\S/,
  // Shops, planning, monitoring:
  /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{16,}/,
  /sq0[a-z]{3}-[\w-]{16,}/,
  /EAAA[\w-]{50,}/,
  /AT(?:ATT3|CTT3)[\w=-]{16,}/,
  /ATBB[A-Za-z0-9]{20,}/,
  /lin_(?:api|oauth)_[A-Za-z0-9]{16,}/,
  /(?:ntn|secret)_[A-Za-z0-9]{40,}/,
  /pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/,
  /PMAK-[a-f0-9]{16,}/,
  /figd_[\w-]{20,}/,
  /gl(?:sa_[A-Za-z0-9]{16,}|c_eyJ[\w+/=-]{8,})/,
  /sntry(?:s_eyJ|u_[a-f0-9])[\w+/=-]{16,}/,
  /phx_[A-Za-z0-9]{30,}/,
  /NRAK-[A-Z0-9]{16,}/,
];

/** Behind a letter or digit it is a part of some other word. */
const anyToken = new RegExp(
  `(?<![A-Za-z0-9])(?:${tokenForms.map(({ source }) => source).join('|')})`,
);

/** `user:password@host`, alone and in a URL, where a colon and digits may also be a port. */
const passwords = [
  /^[^\s:@/]*:(?!\/\/)[^\s@]+@./,
  /:\/\/[^\s:@/]*:(?!\d{1,5}[/?#])[^\s@]{1,200}@./,
];

/**
 * Whether this word, which has no white space, holds a well-known token or a password in front of a
 * host.
 */
export function looksSecret(word: string): boolean {
  return anyToken.test(word) || passwords.some((form) => form.test(word));
}

/**
 * Whether a word of this text looks secret. An AWS secret key has no form of its own: it is 40
 * characters of base64 in a text that has the ID of an access key, too.
 */
export function secretWordsOf(text: string): (word: string) => boolean {
  const hasAwsKey = /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{12}/.test(text);
  return (word) => looksSecret(word) || (hasAwsKey && /(?<![\w+/])[\w+/]{40}(?![\w+/])/.test(word));
}
