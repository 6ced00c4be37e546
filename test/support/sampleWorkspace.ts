import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './paths.js';
import { sampleDeployments } from './service/sample.js';
import { folderSettingsFile } from './workbench/settingsFiles.js';

/** A copy of the sample workspace that lists the deployments of the sample data. */
export async function copySampleWorkspace(target: string): Promise<void> {
  await cp(join(projectRoot, 'test', 'support', 'sample'), target, { recursive: true });
  const settings = folderSettingsFile(target);
  await settings.write({ 'automationPlatform.deployments': sampleDeployments, ...(await settings.read()) });
}
