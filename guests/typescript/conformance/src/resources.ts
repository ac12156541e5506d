/** Resources. */
import { complete, resource } from "@portcullis/guest";

import { PNG } from "./media.js";

resource("static_text", {
  uri: "test://static-text",
  title: "Static text",
  description: "Text that is always the same.",
  mimeType: "text/plain",
  read: () => "This is the content of the static text resource.",
});

resource("static_binary", {
  uri: "test://static-binary",
  title: "Static bytes",
  description: "Bytes that are always the same.",
  mimeType: "image/png",
  read: () => PNG,
});

resource("template_data", {
  uri: "test://template/{id}/data",
  description: "Data under an id.",
  mimeType: "application/json",
  read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

resource("watched_resource", {
  uri: "test://watched-resource",
  description: "Text whose changes are announced.",
  mimeType: "text/plain",
  read: () => "Watched resource content",
});

complete({ template: "test://template/{id}/data", argument: "id" }, (typed) =>
  Array.from({ length: 150 }, (_, at) => String(at + 1)).filter((id) => id.startsWith(typed)),
);
