/** Declares the part of dynalite's interface that is used: the package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: {
    path?: string;
    createTableMs?: number;
    deleteTableMs?: number;
  }): Server;
}
