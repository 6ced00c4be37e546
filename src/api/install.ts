import { type Decoder, type Fields, object, string } from './decode.js';

/** Reference, section 2.1: a pending integration installation. All six are required; one that is wrong is left out. */
export interface IntegrationInstall {
  /** ISO 8601 date-time as the service sent it. */
  readonly expiresAt?: string;
  readonly label?: string;
  /** `free` and `pro` are known; others are shown as they come. */
  readonly requiredPlan?: string;
  readonly serviceId?: string;
  readonly serviceName?: string;
  readonly serviceSub?: string;
}

export const integrationInstallFields: Fields<IntegrationInstall> = {
  expiresAt: string,
  label: string,
  requiredPlan: string,
  serviceId: string,
  serviceName: string,
  serviceSub: string,
};

const names = Object.keys(integrationInstallFields);
const decodeFields = object(integrationInstallFields, names);

/** Reference, 2.1: all six are required. With some of them the answer is usable, with none it is something else. */
export const decodeIntegrationInstall: Decoder<IntegrationInstall> = (value, problems) => {
  const decoded = decodeFields(value, problems);
  return decoded && names.some((name) => Object.hasOwn(decoded, name)) ? decoded : undefined;
};

/** Addressed by a token that is a secret. */
export const installTemplate = '/integration-installs/{token}';
