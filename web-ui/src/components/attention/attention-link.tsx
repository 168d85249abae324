import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconQuestionMark } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAttention } from '@/components/attention/attention';
import classes from '@/components/attention/attention-link.module.css';
import { useReachable } from '@/lib/reachability';
import { many, number, t } from '@/locales';

/** Whether anything is wrong, on every page. It leads to the list of it. */
export function AttentionLink() {
  const { concerns, unknown } = useAttention();
  const reachable = useReachable();
  const grave = concerns.some((concern) => concern.grave);
  const [tone, StateIcon, words] =
    concerns.length > 0
      ? ([
          grave ? 'bad' : 'some',
          grave ? IconAlertTriangle : IconAlertCircle,
          many(concerns.length, '{count} thing needs attention', '{count} things need attention'),
        ] as const)
      : unknown.length > 0 || !reachable
        ? (['none', IconQuestionMark, t('It is not known whether anything needs attention')] as const)
        : (['good', IconCircleCheck, t('Nothing needs attention')] as const);
  const said = reachable || concerns.length === 0 ? words : t('{words}, as far as is known', { words });
  return (
    <Link to="/" className={classes.link} data-tone={tone} aria-label={said} title={said}>
      <StateIcon size={18} aria-hidden />
      {concerns.length > 0 && number(concerns.length)}
    </Link>
  );
}
