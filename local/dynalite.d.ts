/** The types of dynalite, as far as they are used. The package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
