import { many, t } from '@/locales';
const DAY_MILLIS = 86_400_000;
/** The analysis warns from then on, too. */
const SOON_DAYS = 30;

export interface DaysLeft {
  readonly text: string;
  readonly state: 'ended' | 'soon' | 'good';
}

/** Says how long something is still valid. */
export function daysLeft(to: Date, now = Date.now()): DaysLeft {
  const days = Math.floor((to.getTime() - now) / DAY_MILLIS);
  if (days < 0) {
    return { text: many(-days, 'ended {count} day ago', 'ended {count} days ago'), state: 'ended' };
  }
  return {
    text: days === 0 ? t('ends today') : many(days, 'ends in {count} day', 'ends in {count} days'),
    state: days < SOON_DAYS ? 'soon' : 'good',
  };
}
