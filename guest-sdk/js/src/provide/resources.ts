/** The interface `portcullis:guest/resources`, as a component exports it. */
import type { Call } from "../call.js";
import { ToolError } from "../errors.js";
import { type DeclaredResource, resources } from "../registry.js";
import { valuesOf } from "../template.js";
import type * as wit from "../wit/types.js";
import { settled } from "../words.js";

/** The export of resources. */
export function provided() {
  return {
    describe(): wit.ResourceCatalog {
      return {
        entries: resources.filter((it) => it.variables.length === 0).map(entry),
        templates: resources.filter((it) => it.variables.length > 0).map(template),
      };
    },
    read(uri: string, request: wit.Request): wit.ReadOutcome {
      return settled(request, (call) => ({ tag: "contents", val: read(uri, call) }));
    },
  };
}

/** Reads the resource at a URI. */
export function read(uri: string, call: Call): wit.ResourceContents[] {
  const exact = resources.find((it) => it.variables.length === 0 && it.uri === uri);
  if (exact !== undefined) return exact.read(uri, {}, call);
  for (const it of resources) {
    const values = it.variables.length > 0 ? valuesOf(it.uri, uri) : undefined;
    if (values !== undefined) return it.read(uri, values, call);
  }
  throw ToolError.notFound(`there is no resource \`${uri}\``);
}

function entry(resource: DeclaredResource): wit.ResourceEntry {
  return { uri: resource.uri, size: null, ...said(resource) };
}

function template(resource: DeclaredResource): wit.ResourceTemplate {
  return { uriTemplate: resource.uri, ...said(resource) };
}

function said({ name, title, description, mimeType }: DeclaredResource) {
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    mimeType: mimeType ?? null,
    annotations: null,
    extensions: [],
  };
}
