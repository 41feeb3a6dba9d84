import { clockSteps } from './clock-steps.ts';
import { credentialsDown } from './credentials-down.ts';
import { deadWorker } from './dead-worker.ts';
import type { Fault } from './fault.ts';
import { fourProcesses } from './four-processes.ts';
import { garbage } from './garbage.ts';
import { greedy } from './greedy.ts';
import { ignoredWait } from './ignored-wait.ts';
import { killedServer } from './killed-server.ts';
import { oldAndNew } from './old-and-new.ts';
import { coldTogether, staleTogether } from './one-discovery.ts';
import { overload } from './overload.ts';
import { pausedWorker } from './paused-worker.ts';
import { poison } from './poison.ts';
import { primaryKilled } from './primary-killed.ts';
import { slowPeersFault } from './slow-peers.ts';
import { slowSource } from './slow-source.ts';
import { soak } from './soak.ts';
import { sourceDown } from './source-down.ts';
import { stoppedServer } from './stopped-server.ts';
import { storeFull } from './store-full.ts';
import { throttled } from './throttled.ts';

export const faults: readonly Fault[] = [
  coldTogether,
  staleTogether,
  deadWorker,
  pausedWorker,
  killedServer,
  stoppedServer,
  sourceDown,
  slowSource,
  throttled,
  garbage,
  credentialsDown,
  storeFull,
  overload,
  ignoredWait,
  clockSteps,
  poison,
  greedy,
  slowPeersFault,
  oldAndNew,
  soak,
  primaryKilled,
  fourProcesses,
];
