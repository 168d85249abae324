const steps = [
  { unit: 'day', millis: 86_400_000 },
  { unit: 'hour', millis: 3_600_000 },
  { unit: 'minute', millis: 60_000 },
  { unit: 'second', millis: 1_000 },
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  const step = steps.find(({ millis }) => passed >= millis);
  return step === undefined || passed < 2_000
    ? 'just now'
    : words.format(-Math.floor(passed / step.millis), step.unit);
}
