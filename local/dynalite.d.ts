/** The types of dynalite, as far as they are used. The package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
declare module 'dynalite/db' {
  export function create(options: { path: string }): {
    db: { open(): Promise<void>; close(): Promise<void> };
  };
}
