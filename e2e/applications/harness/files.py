"""lighttpd in front of a folder of files."""


def serve_files(place, root):
    lighttpd = place.need("lighttpd", "lighttpd")
    port = place.port()
    config = place.folder / "lighttpd.conf"
    # Without a type of its own a file has no ETag and no Last-Modified.
    config.write_text(f'''
server.document-root = "{root}"
server.bind = "127.0.0.1"
server.port = {port}
mimetype.assign = ("" => "application/octet-stream")
''')
    return place.start(lighttpd, "-D", "-f", config, port=port)
