/**
 * Node's `http` offers WebSocket and two classes of its events. Importing `http` as a module loads them, and with them all of `fetch`:
 * 13 MB and a tenth of a start. Nobody takes them from there, so this deletes them before `http` is imported.
 */
const http: object = process.getBuiltinModule('node:http');
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);
