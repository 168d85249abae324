import { IconLayoutDashboard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import classes from '@/app/navigation.module.css';
import { kindIcons } from '@/components/kind-icons';
import { useSitePages } from '@/components/site-map';
import { allKinds, capitalized, kinds } from '@/lib/kinds';
import { t } from '@/locales';

export function Navigation() {
  const pages = useSitePages();
  return (
    <nav aria-label={t('Main')}>
      <Link to="/" className={classes.link} activeOptions={{ exact: true }}>
        <IconLayoutDashboard size={18} aria-hidden />
        {t('Overview')}
      </Link>
      <p className={classes.group}>{t('Configuration')}</p>
      {allKinds.map((kind) => {
        const KindIcon = kindIcons[kind];
        return (
          <Link
            key={kind}
            to="/$kind"
            params={{ kind }}
            className={classes.link}
            activeOptions={{ includeSearch: false }}
          >
            <KindIcon size={18} aria-hidden />
            {capitalized(kinds[kind].plural)}
          </Link>
        );
      })}
      {[...new Set(pages.map(({ group }) => group))].map((group) => (
        <Fragment key={group}>
          <p className={classes.group}>{group}</p>
          {pages
            .filter((page) => page.group === group)
            .map(({ to, title, icon: PageIcon }) => (
              <Link key={to} to={to} className={classes.link} activeOptions={{ includeSearch: false }}>
                <PageIcon size={18} aria-hidden />
                {title}
              </Link>
            ))}
        </Fragment>
      ))}
    </nav>
  );
}
