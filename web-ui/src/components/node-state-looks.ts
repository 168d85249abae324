import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconHelpCircle,
  IconHourglass,
  IconPower,
} from '@tabler/icons-react';
import type { NodeState } from '#client';
import { t } from '@/locales';

/** How a state of a node looks and what it means, wherever it is shown. */
export const nodeStateLooks = {
  HEALTHY: { color: 'green', Icon: IconCircleCheck, text: t('Healthy'), meaning: t('Passes its checks') },
  UNHEALTHY: { color: 'red', Icon: IconAlertTriangle, text: t('Unhealthy'), meaning: t('Failed its checks') },
  EJECTED: {
    color: 'orange',
    Icon: IconCircleMinus,
    text: t('Ejected'),
    meaning: t('Ejected after failed requests; gets no requests for a while'),
  },
  DOWN: { color: 'gray', Icon: IconPower, text: t('Down'), meaning: t('Out of service by configuration') },
  DRAINING: { color: 'gray', Icon: IconHourglass, text: t('Draining'), meaning: t('Gets no new requests') },
  UNKNOWN: {
    color: 'gray',
    Icon: IconHelpCircle,
    text: t('Not checked'),
    meaning: t('Gets requests and was never checked'),
  },
} as const satisfies Record<NodeState, unknown>;
