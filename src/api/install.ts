import { type Decoded, type Decoder, object, string } from './decode.js';

export const integrationInstallFields = {
  /** ISO 8601 date-time as the service sent it. */
  expiresAt: string,
  label: string,
  /** `free` and `pro` are known; others are shown as they come. */
  requiredPlan: string,
  serviceId: string,
  serviceName: string,
  serviceSub: string,
};

/** A pending integration installation. All six are required; one that is wrong is left out. */
export type IntegrationInstall = Decoded<typeof integrationInstallFields>;

const names = Object.keys(integrationInstallFields);
const decodeInstallFields = object(integrationInstallFields, names);

/** Usable if at least one documented field is right. */
export const decodeIntegrationInstall: Decoder<IntegrationInstall> = (value, issues) => {
  const decoded = decodeInstallFields(value, issues);
  return decoded && names.some((name) => Object.hasOwn(decoded, name)) ? decoded : undefined;
};

/** Addressed by a token that is a secret. */
export const installTemplate = '/integration-installs/{token}';
