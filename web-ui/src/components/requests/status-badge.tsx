import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconCircleCheck,
  IconCircleX,
  IconPlugConnected,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { LastRequest } from '#client';
import { t } from '@/locales';

/** The status of a request by shape and colour, or how a connection ended. */
export function StatusBadge({ request }: { readonly request: LastRequest }) {
  const { color, Icon, text } = lookOf(request);
  return (
    <Badge color={color} variant="light" tt="none" leftSection={<Icon size={13} aria-hidden />}>
      {text}
    </Badge>
  );
}

function lookOf({ status, method, error }: LastRequest) {
  if (status === 0) {
    const ended = method === '' && error === undefined;
    return {
      color: ended ? 'green' : 'red',
      Icon: ended ? IconPlugConnected : IconPlugConnectedX,
      text: ended ? t('closed') : method === '' ? t('ended') : t('none'),
    };
  }
  const text = String(status);
  if (status >= 500) {
    return { color: 'red', Icon: IconCircleX, text };
  }
  if (status >= 400) {
    return { color: 'yellow', Icon: IconAlertTriangle, text };
  }
  if (status >= 300) {
    return { color: 'blue', Icon: IconArrowForwardUp, text };
  }
  return { color: 'green', Icon: IconCircleCheck, text };
}
