import { IconAlertCircle, IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import classes from '@/features/topology/topology-page.module.css';
import { t } from '@/locales';

/** What colours, shapes and widths say. */
export function Legend() {
  return (
    <ul className={classes.legend} aria-label={t('Legend')}>
      <li>
        <Line color="green" /> {t('answered')}
      </li>
      <li>
        <Line color="yellow" dash="8 2" /> <IconAlertCircle size={13} aria-hidden /> {t('some failed')}
      </li>
      <li>
        <Line color="red" dash="5 3" /> <IconAlertTriangle size={13} aria-hidden /> {t('5 % or more failed')}
      </li>
      <li>
        <Line color="gray" thin /> {t('no reported requests')}
      </li>
      <li>
        <Line color="gray" thin dash="2 3" /> <IconPlayerPause size={13} aria-hidden /> {t('disabled')}
      </li>
      <li>{t('A wider line stands for more requests in the last 5 minutes.')}</li>
    </ul>
  );
}

function Line({ color, dash, thin = false }: { color: string; dash?: string; thin?: boolean }) {
  return (
    <svg width={26} height={8} aria-hidden>
      <line
        x1={0}
        x2={26}
        y1={4}
        y2={4}
        stroke={`var(--sigma-chart-${color})`}
        strokeWidth={thin ? 1.25 : 4}
        strokeDasharray={dash}
      />
    </svg>
  );
}
