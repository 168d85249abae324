import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconHelpCircle,
  IconHourglass,
  IconPower,
} from '@tabler/icons-react';
import type { NodeState } from '#client';

/** How a state of a node looks and what it means, wherever it is shown. */
export const nodeStateLooks = {
  HEALTHY: { color: 'green', Icon: IconCircleCheck, text: 'Healthy', meaning: 'Passes its checks' },
  UNHEALTHY: { color: 'red', Icon: IconAlertTriangle, text: 'Unhealthy', meaning: 'Failed its checks' },
  EJECTED: {
    color: 'orange',
    Icon: IconCircleMinus,
    text: 'Ejected',
    meaning: 'Ejected after failed requests; gets no requests for a while',
  },
  DOWN: { color: 'gray', Icon: IconPower, text: 'Down', meaning: 'Out of service by configuration' },
  DRAINING: { color: 'gray', Icon: IconHourglass, text: 'Draining', meaning: 'Gets no new requests' },
  UNKNOWN: {
    color: 'gray',
    Icon: IconHelpCircle,
    text: 'Not checked',
    meaning: 'Gets requests and was never checked',
  },
} as const satisfies Record<NodeState, unknown>;
