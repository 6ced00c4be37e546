import { type Decoded, type Decoder, object, string } from './decode.js';

const integrationInstallFields = {
  expiresAt: string,
  label: string,
  requiredPlan: string,
  serviceId: string,
  serviceName: string,
  serviceSub: string,
};

export type IntegrationInstall = Decoded<typeof integrationInstallFields>;

const names = Object.keys(integrationInstallFields);
const decodeInstallFields = object(integrationInstallFields, names);

/** Usable if at least one documented field is right. */
export const decodeIntegrationInstall: Decoder<IntegrationInstall> = (value, issues) => {
  const decoded = decodeInstallFields(value, issues);
  return decoded && names.some((name) => Object.hasOwn(decoded, name)) ? decoded : undefined;
};

export const installTemplate = '/integration-installs/{token}';
