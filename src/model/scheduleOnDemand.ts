import type { RefreshSchedule, RefreshSituation } from './refreshSchedule.js';

/** Remembers the situation, and leaves it to a schedule that is loaded once somebody is signed in: before, nothing is read. */
export function scheduleOnDemand(load: () => Promise<RefreshSchedule>): RefreshSchedule {
  let schedule: RefreshSchedule | undefined;
  let loading = false;
  let disposed = false;
  let situation: Partial<RefreshSituation> = {};

  const start = async (): Promise<void> => {
    const loaded = await load();
    if (disposed) return;
    schedule = loaded;
    schedule.update(situation);
  };
  return {
    update(change) {
      if (schedule !== undefined) {
        schedule.update(change);
        return;
      }
      situation = { ...situation, ...change };
      if (situation.signedIn !== true || loading) return;
      loading = true;
      void start();
    },
    restart: () => schedule?.restart(),
    dispose() {
      disposed = true;
      schedule?.dispose();
    },
  };
}
