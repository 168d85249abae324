"""Uses a bucket by boto3. Arguments: URL, access key, secret key."""

import io
import os
import sys
import urllib.request

import boto3
import botocore.config
import botocore.exceptions
from boto3.s3.transfer import TransferConfig

url, access, secret = sys.argv[1:]
s3 = boto3.client("s3", endpoint_url=url, aws_access_key_id=access, aws_secret_access_key=secret, region_name="us-east-1",
                  config=botocore.config.Config(signature_version="s3v4", s3={"addressing_style": "path"}, retries={"max_attempts": 1}))
bucket = "bucket-" + url.split(":")[2]
s3.create_bucket(Bucket=bucket)

# botocore sends Expect: 100-continue with each body.
small = os.urandom(100_000)
names = ["plain", "a/b/c", "with space", "plus+and&and=", "tilde~(paren)'!*", "ünï/日本", "per%25cent", "semi;colon,comma:colon@at"]
for name in names:
    s3.put_object(Bucket=bucket, Key=name, Body=small, Metadata={"author": "someone"})
    answer = s3.get_object(Bucket=bucket, Key=name)
    assert answer["Body"].read() == small, name
    assert answer["Metadata"]["author"] == "someone", name
listed = sorted(entry["Key"] for entry in s3.list_objects_v2(Bucket=bucket)["Contents"])
assert listed == sorted(names), listed

large = os.urandom(60 << 20)
s3.upload_fileobj(io.BytesIO(large), bucket, "large", Config=TransferConfig(multipart_chunksize=8 << 20, max_concurrency=4))
assert s3.head_object(Bucket=bucket, Key="large")["ContentLength"] == len(large)
back = io.BytesIO()
s3.download_fileobj(bucket, "large", back, Config=TransferConfig(multipart_chunksize=8 << 20, max_concurrency=4))
assert back.getvalue() == large
ranged = s3.get_object(Bucket=bucket, Key="large", Range="bytes=1000000-1999999")
assert ranged["Body"].read() == large[1_000_000:2_000_000]

presigned = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "plus+and&and="}, ExpiresIn=60)
with urllib.request.urlopen(presigned) as response:
    assert response.read() == small
s3.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": "with space"})
s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": name} for name in [*names, "copy", "large"]]})
try:
    s3.head_object(Bucket=bucket, Key="plain")
    raise AssertionError("a deleted object is there")
except botocore.exceptions.ClientError as gone:
    assert gone.response["ResponseMetadata"]["HTTPStatusCode"] == 404
s3.delete_bucket(Bucket=bucket)
print("signed names of all kinds, multipart of 60 MiB, ranges, presigned URL, copy")
