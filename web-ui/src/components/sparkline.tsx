const WIDTH = 200;
const HEIGHT = 28;

/** A small line as decoration beside its figure. What nobody reported is a gap. */
export function Sparkline({
  values,
  bad,
}: {
  readonly values: readonly (number | undefined)[];
  /** Drawn in the colour of errors. */
  readonly bad: boolean;
}) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      aria-hidden
      style={{ display: 'block', marginTop: 6 }}
    >
      <path
        d={pathOf(values)}
        fill="none"
        stroke={bad ? 'var(--mantine-color-error)' : 'var(--mantine-primary-color-filled)'}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function pathOf(values: readonly (number | undefined)[]): string {
  const most = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === undefined) {
        return '';
      }
      const y = HEIGHT - 1 - (value / most) * (HEIGHT - 2);
      const begins = index === 0 || values[index - 1] === undefined;
      return `${begins ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
