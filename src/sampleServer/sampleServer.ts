import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { Counter } from './counter';
import { nightSky } from './nightSky';
import { planetNamed, planetPage, planetsJson, suggestPlanets } from './planets';
import { answerText, questionText, welcomeText } from './texts';

const COUNTER_URI = 'sample://counter';
const WRITTEN = '2026-08-01T09:00:00Z';

/** One server for one connection; the SDK asks for it once the connection's era is known. */
export function createSampleServer(era: 'legacy' | 'modern'): McpServer {
  const server = new McpServer(
    { name: 'sample-server', title: 'Sample Server', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true } }, instructions: 'Resources to look at and to attach to a chat.' },
  );
  addText(server, {
    uri: 'sample://welcome',
    name: 'welcome',
    title: 'Welcome',
    description: 'What resources are, and what to click next',
    mimeType: 'text/markdown',
    text: welcomeText,
    priority: 1,
  });
  addText(server, {
    uri: 'sample://planets',
    name: 'planets.json',
    title: 'Planets',
    description: 'The planets of the solar system as JSON',
    mimeType: 'application/json',
    text: planetsJson(),
    priority: 0.7,
  });
  addPicture(server);
  addTwoParts(server);
  addCounter(server, era);
  addPlanetTemplate(server);
  return server;
}

interface TextResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  text: string;
  priority: number;
}

function addText(server: McpServer, resource: TextResource): void {
  const { uri, name, title, description, mimeType, text, priority } = resource;
  const annotations = { audience: ['user' as const, 'assistant' as const], priority, lastModified: WRITTEN };
  server.registerResource(
    name,
    uri,
    { title, description, mimeType, size: Buffer.byteLength(text), annotations },
    () => ({ contents: [{ uri, mimeType, text }] }),
  );
}

function addPicture(server: McpServer): void {
  const uri = 'sample://night-sky';
  const mimeType = 'image/png';
  const png = nightSky();
  const annotations = { audience: ['user' as const], priority: 0.4, lastModified: WRITTEN };
  server.registerResource(
    'night-sky.png',
    uri,
    { title: 'Night Sky', description: 'A picture', mimeType, size: png.length, annotations },
    () => ({ contents: [{ uri, mimeType, blob: png.toString('base64') }] }),
  );
}

function addTwoParts(server: McpServer): void {
  const uri = 'sample://question-and-answer';
  const annotations = { audience: ['user' as const, 'assistant' as const], priority: 0.3, lastModified: WRITTEN };
  const size = Buffer.byteLength(questionText) + Buffer.byteLength(answerText);
  server.registerResource(
    'question-and-answer',
    uri,
    {
      title: 'Question and Answer',
      description: 'One resource made of two parts',
      mimeType: 'text/markdown',
      size,
      annotations,
    },
    () => ({
      contents: [
        { uri: `${uri}/question`, mimeType: 'text/markdown', text: questionText },
        { uri: `${uri}/answer`, mimeType: 'text/markdown', text: answerText },
      ],
    }),
  );
}

function addCounter(server: McpServer, era: 'legacy' | 'modern'): void {
  const subscribed = new Set<string>();
  const counter = new Counter(() => {
    // In the modern era the SDK itself passes updates on only to those who listen for them.
    if (era === 'legacy' && !subscribed.has(COUNTER_URI)) return;
    server.server.sendResourceUpdated({ uri: COUNTER_URI }).catch(() => counter.stop());
  });
  server.registerResource(
    'counter',
    COUNTER_URI,
    {
      title: 'Counter',
      description: `Changes every ${counter.period / 1000} seconds while you watch`,
      mimeType: 'text/plain',
      annotations: { audience: ['user', 'assistant'], priority: 0.9 },
    },
    () => ({ contents: [{ uri: COUNTER_URI, mimeType: 'text/plain', text: counter.text() }] }),
  );
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  server.server.onclose = () => counter.stop();
  counter.start();
}

function addPlanetTemplate(server: McpServer): void {
  const template = new ResourceTemplate('sample://planets/{name}', {
    list: undefined,
    complete: { name: suggestPlanets },
  });
  server.registerResource(
    'planet',
    template,
    {
      title: 'Planet',
      description: 'A page about the planet you name',
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: WRITTEN },
    },
    (uri, { name }) => ({
      contents: [{ uri: uri.href, mimeType: 'text/markdown', text: planetPage(planetNamed(name, uri.href)) }],
    }),
  );
}
