import { fromNow, t } from '@/locales';
const steps = [
  { unit: 'day', millis: 86_400_000 },
  { unit: 'hour', millis: 3_600_000 },
  { unit: 'minute', millis: 60_000 },
  { unit: 'second', millis: 1_000 },
] as const;

export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  const step = steps.find(({ millis }) => passed >= millis);
  return step === undefined || passed < 2_000
    ? t('just now')
    : fromNow(-Math.floor(passed / step.millis), step.unit);
}
