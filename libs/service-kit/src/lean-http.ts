/**
 * Node's `http` offers WebSocket and two classes of its events. A program that imports `http` as a module loads them with it, and with them
 * all of `fetch`: 13 MB and a tenth of a start. Nobody takes them from there, so they are gone before `http` is imported.
 */
const http: object = process.getBuiltinModule('node:http');
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, name);
