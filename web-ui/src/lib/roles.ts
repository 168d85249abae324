import { Role } from '#client';
import { t } from '@/locales';

export const roleNames: Readonly<Record<Role, string>> = {
  get VIEWER() {
    return t('Viewer');
  },
  get EDITOR() {
    return t('Editor');
  },
  get ADMIN() {
    return t('Admin');
  },
};

export const roleMeanings: Readonly<Record<Role, string>> = {
  get VIEWER() {
    return t('Sees everything except users, tokens and the audit log.');
  },
  get EDITOR() {
    return t('Also changes the configuration.');
  },
  get ADMIN() {
    return t('Also manages users and tokens, revokes gateways, and reads the audit log.');
  },
};

/** The least first, for inputs. */
export const roleOptions = Object.values(Role).map((role) => ({
  value: role,
  get label() {
    return roleNames[role];
  },
}));

export function roleFrom(value: string | null): Role {
  return Object.values(Role).find((role) => role === value) ?? Role.Viewer;
}
