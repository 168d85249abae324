import { Role } from '#client';

export const roleNames: Readonly<Record<Role, string>> = {
  VIEWER: 'Viewer',
  EDITOR: 'Editor',
  ADMIN: 'Admin',
};

export const roleMeanings: Readonly<Record<Role, string>> = {
  VIEWER: 'Sees everything except users, tokens and the audit log.',
  EDITOR: 'Also changes the configuration.',
  ADMIN: 'Also manages users and tokens, revokes gateways, and reads the audit log.',
};

/** The least first, for inputs. */
export const roleOptions = Object.values(Role).map((role) => ({ value: role, label: roleNames[role] }));

export function roleFrom(value: string | null): Role {
  return Object.values(Role).find((role) => role === value) ?? Role.Viewer;
}
