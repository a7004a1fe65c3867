import { keepSession, type SessionOptions } from './kept-session.ts';

export interface ListenerOptions extends Pick<SessionOptions<void>, 'url' | 'log'> {
  /** Of the connection, as Postgres shows it. */
  name: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Called whenever listening begins, and where `onNotice` throws: something was notified, and nobody knows what. */
  onGap: () => void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Hears what is notified on a channel, on a connection of its own that is made again whenever it breaks or falls silent. */
export const openListener = ({ url, name, channel, onNotice, onGap, log }: ListenerOptions): Listener =>
  keepSession({
    url,
    name: `${name} listener`,
    log,
    begin: async (client) => {
      client.on('notification', ({ payload = '' }) => {
        try {
          onNotice(payload);
        } catch (error) {
          // Every role of the database may notify any channel of anything.
          log.warn({ error, event: 'notice_not_read' }, 'a notice could not be read');
          onGap();
        }
      });
      await client.query(`listen ${channel}`);
      onGap();
    },
  });
