import { t } from '@/locales';

/** The buttons beside the numbers of the pages. */
export const pageControlNames = {
  first: t('First page'),
  previous: t('Previous page'),
  next: t('Next page'),
  last: t('Last page'),
} as const;
