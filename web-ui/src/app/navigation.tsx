import {
  IconArrowsSplit2,
  IconCertificate,
  IconChartLine,
  IconDoorEnter,
  IconFileImport,
  IconFlask,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListSearch,
  IconRoute,
  IconSend,
  IconServer2,
  IconStethoscope,
  IconTopologyStar3,
  IconUserShield,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from '@/app/navigation.module.css';
import { allKinds, capitalized, kinds, type Kind } from '@/lib/kinds';
import { useHasRole } from '@/lib/session';

const kindIcons: Readonly<Record<Kind, Icon>> = {
  'proxy-servers': IconDoorEnter,
  routers: IconArrowsSplit2,
  routes: IconRoute,
  'proxy-passes': IconSend,
  upstreams: IconServer2,
  certificates: IconCertificate,
  consumers: IconUsers,
};

export function Navigation() {
  const admin = useHasRole('ADMIN');
  return (
    <nav aria-label="Main">
      <Link to="/" className={classes.link} activeOptions={{ exact: true }}>
        <IconLayoutDashboard size={18} aria-hidden />
        Overview
      </Link>
      <p className={classes.group}>Configuration</p>
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
      <p className={classes.group}>Traffic</p>
      <Link to="/route-test" className={classes.link} activeOptions={{ includeSearch: false }}>
        <IconFlask size={18} aria-hidden />
        Route tester
      </Link>
      <Link to="/traffic" className={classes.link} activeOptions={{ includeSearch: false }}>
        <IconChartLine size={18} aria-hidden />
        Traffic
      </Link>
      <p className={classes.group}>Fleet</p>
      <Link to="/gateways" className={classes.link}>
        <IconTopologyStar3 size={18} aria-hidden />
        Gateways
      </Link>
      <Link to="/revisions" className={classes.link} activeOptions={{ includeSearch: false }}>
        <IconHistory size={18} aria-hidden />
        Revisions
      </Link>
      <Link to="/analysis" className={classes.link} activeOptions={{ includeSearch: false }}>
        <IconStethoscope size={18} aria-hidden />
        Analysis
      </Link>
      <Link to="/import" className={classes.link}>
        <IconFileImport size={18} aria-hidden />
        Import and export
      </Link>
      {admin && (
        <>
          <p className={classes.group}>Access</p>
          <Link to="/users" className={classes.link}>
            <IconUserShield size={18} aria-hidden />
            Users
          </Link>
          <Link to="/tokens" className={classes.link}>
            <IconKey size={18} aria-hidden />
            API tokens
          </Link>
          <Link to="/audit" className={classes.link} activeOptions={{ includeSearch: false }}>
            <IconListSearch size={18} aria-hidden />
            Audit log
          </Link>
        </>
      )}
    </nav>
  );
}
