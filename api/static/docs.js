// Shows openapi.json. Every text is set as text, never as markup.
"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function fold(title, ...children) {
  return element("details", "", element("summary", title), ...children);
}

function json(value) {
  return element("pre", JSON.stringify(value, null, 2));
}

function resolve(api, value) {
  while (value && value.$ref) {
    value = value.$ref.slice(2).split("/").reduce((held, step) => held[step], api);
  }
  return value;
}

// A reference becomes a link to the schema, which stands once at the end.
function schema(value) {
  const name = value && value.$ref && value.$ref.split("/").pop();
  if (!name) return json(value);
  const link = element("a", name);
  link.href = "#schema-" + name;
  return element("p", "", element("code", "", link));
}

function content(api, held) {
  return Object.entries(held || {}).flatMap(([type, media]) => {
    const parts = [element("p", type), schema(media.schema)];
    if (media.example !== undefined) parts.push(fold("Example", json(media.example)));
    return parts;
  });
}

function parameters(api, list) {
  const rows = list.map((given) => {
    const one = resolve(api, given);
    const cells = [one.name, one.in, JSON.stringify(one.schema), one.description || ""];
    return element("tr", "", ...cells.map((cell) => element("td", cell)));
  });
  const head = ["name", "in", "schema", ""].map((cell) => element("th", cell));
  return element("table", "", element("tr", "", ...head), ...rows);
}

function operation(api, path, method, held, shared) {
  const summary = element(
    "summary", "",
    Object.assign(element("span", method.toUpperCase()), { className: "method" }),
    element("code", path), " " + held.summary);
  const body = element("div", "", element("p", held.description));
  const credentials = held.security.flatMap((one) => Object.keys(one).join(" and ") || "nothing");
  body.append(element("p", "Credential: " + credentials.join(", or ")));
  const given = [...shared, ...(held.parameters || [])];
  if (given.length) body.append(parameters(api, given));
  const request = resolve(api, held.requestBody);
  if (request) body.append(element("h4", "Body"), ...content(api, request.content));
  body.append(element("h4", "Answers"));
  for (const [status, given] of Object.entries(held.responses)) {
    const answer = resolve(api, given);
    body.append(fold(status + " " + answer.description, ...content(api, answer.content)));
  }
  const made = element("details", "", summary, body);
  made.className = "operation";
  made.id = held.operationId;
  return made;
}

function show(api) {
  const parts = [element("h1", api.info.title)];
  for (const text of api.info.description.split("\n\n")) parts.push(element("p", text));
  for (const tag of api.tags) {
    parts.push(element("h2", tag.description || tag.name));
    for (const [path, item] of Object.entries(api.paths)) {
      for (const method of METHODS.filter((name) => item[name]?.tags.includes(tag.name))) {
        parts.push(operation(api, path, method, item[method], item.parameters || []));
      }
    }
  }
  parts.push(element("h2", "Schemas"));
  for (const [name, held] of Object.entries(api.components.schemas)) {
    const made = fold(name, json(held));
    made.id = "schema-" + name;
    parts.push(made);
  }
  return parts;
}

function open() {
  const aimed = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (aimed instanceof HTMLDetailsElement) {
    aimed.open = true;
    aimed.scrollIntoView();
  }
}

async function main() {
  const page = document.getElementById("document");
  const answer = await fetch("/openapi.json");
  page.replaceChildren(...show(await answer.json()));
  page.removeAttribute("aria-busy");
  window.addEventListener("hashchange", open);
  open();
}

main();
