"""The API's documentation as one plain page: made from the OpenAPI document, nothing external."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse
from jinja2 import Environment, FileSystemLoader

HERE = Path(__file__).parent / "apidocs_page"
router = APIRouter(prefix="/api/docs", include_in_schema=False)
templates = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True)


@router.get("")
def page(request: Request) -> HTMLResponse:
    """Every route with what it takes and gives."""
    document = request.app.openapi()
    return HTMLResponse(
        templates.get_template("page.html").render(
            info=document["info"],
            operations=_operations(document),
            schemas=document["components"]["schemas"],
            type_of=type_of,
            pretty=lambda value: json.dumps(value, indent=2, ensure_ascii=False),
        )
    )


@router.get("/style.css")
def style() -> FileResponse:
    """How the page looks."""
    return FileResponse(HERE / "style.css", media_type="text/css")


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"method": method.upper(), "path": path, **operation}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def type_of(schema: dict[str, Any]) -> str:
    """A schema in short.

    >>> type_of({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'integer or null'
    >>> type_of({"type": "array", "items": {"$ref": "#/components/schemas/MoveValue"}})
    'list of MoveValue'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(type_of(kind) for kind in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
