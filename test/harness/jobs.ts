/** Waits for a background job of an office's. */
import { isOver, type JobView } from '#contract/job.ts';
import type { Office } from './office.ts';

export async function waitForJobOf(office: Office, jobId: string): Promise<JobView> {
  for (let tries = 0; ; tries++) {
    const { json } = await office.get(`/api/v1/jobs/${jobId}`);
    if (isOver(json.job.status) || tries > 400) return json.job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
